/** vitest watches where it has a terminal. A gate has none: there, vitest 4 was seen to run once. */
const WAITS_IN_TERMINAL =
  /(?<![\w.:/@-]|run )vitest(?=["']|\s|$)(?!\s+(run|related|bench|list)\b|[^&|;\n]*\s--(run\b|watch[= ]false|no-watch))/;

/** Create React App's jest watches wherever `CI` is not set. */
const WAITS_OUTSIDE_CI =
  /\b(react-scripts|react-app-rewired|craco) test\b(?![^&|;\n]*\s--(ci|no-watch|watchAll=false)\b)/;

/** Whether a command ends only where there is no terminal. */
export function waitsOnlyInTerminal(command: string): boolean {
  return WAITS_IN_TERMINAL.test(command);
}

/** Whether a command ends only where `CI` is set. */
export function waitsOutsideCi(command: string): boolean {
  return WAITS_OUTSIDE_CI.test(command) && !/\bCI=(true|1)\b/.test(command);
}

/** Whether a command ends at all is a matter of where it runs. */
export function mayWait(command: string): boolean {
  return waitsOnlyInTerminal(command) || waitsOutsideCi(command);
}
