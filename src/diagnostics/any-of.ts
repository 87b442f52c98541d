/** One expression for many forms, so that a line is looked through once. */
export function anyOf(flags: '' | 'i', ...forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({ source }) => source).join('|'), flags);
}
