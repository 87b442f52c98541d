import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Compiler options of a program that uses the package. */
export interface CompilerOptions {
  /** Packages of types that are available without an import. */
  readonly types: readonly string[];
  readonly lib: readonly string[];
  readonly module?: string;
  readonly moduleResolution?: string;
}

/** Returns a strict tsconfig.json, which also checks the declarations of packages. */
export function tsconfig(options: CompilerOptions): string {
  return JSON.stringify({
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      typeRoots: [`${modules}/@types`],
      ...options,
    },
  });
}

/**
 * Compiles a directory by its tsconfig.json.
 *
 * @returns the output of the compiler, which is empty without errors
 */
export async function compile(directory: string): Promise<string> {
  const options = { cwd: directory, reject: false, all: true } as const;
  const { all } = await execa(`${modules}/.bin/tsc`, ['--project', '.', '--pretty', 'false'], options);
  return all;
}
