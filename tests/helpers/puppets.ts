import { fileURLToPath } from 'node:url';

// Shell commands that do one thing each. A pid goes to a file as soon as its process is as it shall be.

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** Waits until the test makes the file; a test that fails takes the directory away. */
export const waitFor = (file: string) => `while [ ! -e ${file} ] && [ -d "$PWD" ]; do sleep 0.02; done`;

/** Runs until it is ended. */
export const sleepLong = (pidFile: string) => `echo $$ > ${pidFile}; exec sleep 600`;

/** Has a child in the background, which holds the pipe, and waits for it. */
export const waitForChild = (pidFile: string, childPidFile: string) =>
  `sleep 600 & echo $! > ${childPidFile}; echo $$ > ${pidFile}; wait`;

/** Does not heed SIGTERM, and neither do its children. */
export const ignoreTerm = (pidFile: string) => `exec sh "${fixture('ignore-term.sh')}" ${pidFile}`;

/** Leaves a child behind that holds the pipe. */
export const leaveChild = (childPidFile: string, exitCode: number) =>
  `sleep 600 & echo $! > ${childPidFile}; exit ${exitCode}`;

/** The same, with a child that does not heed SIGTERM. */
export const leaveStubbornChild = (childPidFile: string, exitCode: number) =>
  `(${ignoreTerm(childPidFile)}) & ${waitFor(childPidFile)}; exit ${exitCode}`;

/** Leaves a child in a session of its own behind, which holds the pipe where no signal to the group reaches it. */
export const leaveSession = (childPidFile: string) =>
  `"${process.execPath}" "${fixture('own-session.mjs')}" ${childPidFile}`;
