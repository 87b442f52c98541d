interface Form {
  readonly pattern: RegExp;
  readonly example: string;
}

/** Lines that mean the same, as a table of the forms that they have: it is read by its rows, and searched as one. */
export interface FormTable {
  /** What each form begins with. */
  readonly start: RegExp;
  /** By what prints the form, or what it says. */
  readonly forms: Readonly<Record<string, Form>>;
  /** The source of an expression for each of them, whatever they begin with. */
  readonly anyForm: string;
  readonly pattern: RegExp;
}

/**
 * @param start what each form begins with, and the flags of all
 * @param forms without flags; `forms.test.ts` proves that each matches its example, and that no other does
 */
export function formTable(start: RegExp, forms: FormTable['forms']): FormTable {
  const sources = Object.values(forms).map(({ pattern }) => pattern.source);
  const anyForm = `(?:${sources.join('|')})`;
  return { start, forms, anyForm, pattern: new RegExp(start.source + anyForm, start.flags) };
}
