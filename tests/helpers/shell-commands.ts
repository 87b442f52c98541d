import { fileURLToPath } from 'node:url';

// Shell commands for tests of processes. A process writes its pid to a file when it is ready.

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** Waits until the test creates the file, or until the directory is removed with a failed test. */
export const waitFor = (file: string) => `while [ ! -e ${file} ] && [ -d "$PWD" ]; do sleep 0.02; done`;

/** Runs until it is killed. */
export const sleepLong = (pidFile: string) => `echo $$ > ${pidFile}; exec sleep 600`;

/** Starts a child in the background, which holds the pipe, and waits for it. */
export const waitForChild = (pidFile: string, childPidFile: string) =>
  `sleep 600 & echo $! > ${childPidFile}; echo $$ > ${pidFile}; wait`;

/** Ignores SIGTERM, also in its children. */
export const ignoreTerm = (pidFile: string) => `exec sh "${fixture('ignore-term.sh')}" ${pidFile}`;

/** Leaves a child behind that holds the pipe. */
export const leaveChild = (childPidFile: string, exitCode: number) =>
  `sleep 600 & echo $! > ${childPidFile}; exit ${exitCode}`;

/** Leaves a child behind that holds the pipe and ignores SIGTERM. */
export const leaveChildIgnoringTerm = (childPidFile: string, exitCode: number) =>
  `(${ignoreTerm(childPidFile)}) & ${waitFor(childPidFile)}; exit ${exitCode}`;

/** Leaves a child behind that holds the pipe in its own session, which no signal to the group reaches. */
export const leaveSession = (childPidFile: string) =>
  `"${process.execPath}" "${fixture('own-session.mjs')}" ${childPidFile}`;

/** Starts a daemon by a double fork: in a session of its own, without the pipe, and its parent has ended. */
export const leaveDaemon = (pidFile: string) =>
  `(setsid sh -c 'trap "" TERM; echo $$ > ${pidFile}; exec sleep 600' > /dev/null 2>&1 < /dev/null &); ${waitFor(pidFile)}`;
