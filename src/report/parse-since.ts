const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const AGO = /^([1-9]\d*)([mhdw])$/;
const ISO = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * The moment that `--since` means: `30m`, `24h`, `7d`, `2w` ago, or an ISO 8601 date, local where it has no zone.
 *
 * @returns undefined where it means none
 */
export function parseSince(text: string, now: Date): Date | undefined {
  const [, amount, unit] = AGO.exec(text) ?? [];
  if (unit) return ifValid(new Date(now.getTime() - Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]));
  const [, year, month, day, time] = ISO.exec(text) ?? [];
  // JavaScript takes 31 February for 3 March.
  if (!day || Number(day) > new Date(Number(year), Number(month), 0).getDate()) return undefined;
  // A date alone JavaScript takes for a day in Greenwich.
  return ifValid(new Date(time === undefined ? `${text}T00:00` : text));
}

function ifValid(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}
