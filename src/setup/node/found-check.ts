/** A check that is made without a script of the root. */
export interface FoundCheck {
  readonly run: string;
  readonly why: string;
}
