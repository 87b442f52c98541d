// `ralph-loop init` writes this file, and hooks start it. It finds the installed ralph-loop and loads it in this process.
// Commit it: in a clone or a worktree without ralph-loop, it reports that the stop is not verified. It runs on Node 12 and
// later, to report that ralph-loop needs a newer one.
/* eslint-disable */
// biome-ignore-all lint: written by ralph-loop
// biome-ignore-all format: written by ralph-loop
// prettier-ignore
{
  const fs = require('fs');
  const path = require('path');
  const { argv, env } = process;

  const PACKAGE = 'ralph-loop-cli';
  const BIN = 'bin/ralph-loop.js';
  /** The directory of the project where ralph-loop was installed when `init` ran. */
  const INSTALLED_IN = '.';
  const root = path.resolve(argv[1], '../..');

  start().catch((error) => {
    const [message] = String((error && error.message) || error).split('\n');
    answer(`ralph-loop cannot be loaded: ${message}.`, installCommand());
  });

  async function start() {
    const usual = path.join(root, INSTALLED_IN, 'node_modules', PACKAGE, BIN);
    const bin = fs.existsSync(usual) ? usual : findBin();
    if (bin === undefined) return answer(`ralph-loop is not installed in ${root}.`, installCommand());
    const program = require(bin);
    if (program.problem) return answer(program.problem);
    argv[1] = bin;
    await program.main(argv);
  }

  /** In the project, in the other worktrees of its repository, then where the user has it. */
  function findBin() {
    const top = topOfRepository();
    for (const tree of trees(top))
      for (const directory of upwards(path.resolve(tree, path.relative(top, root), INSTALLED_IN), tree)) {
        const installed = path.join(directory, 'node_modules', PACKAGE, BIN);
        if (fs.existsSync(installed)) return installed;
        const own = path.join(directory, BIN);
        if (isOwn(own)) return own;
        const unplugged = findByPnp(directory);
        if (unplugged) return unplugged;
      }
    for (const bin of userBins()) if (isOwn(bin)) return bin;
  }

  function topOfRepository() {
    return upwards(root).find((directory) => fs.existsSync(path.join(directory, '.git'))) || root;
  }

  /** The working tree, the main one or that around a submodule, and those that `git worktree` added. */
  function* trees(top) {
    yield top;
    const dotGit = path.join(top, '.git');
    const [, link = dotGit] = /^gitdir: (.+)/.exec(read(dotGit)) || [];
    const gitDirectory = path.resolve(top, link.trim());
    const common = path.resolve(gitDirectory, read(path.join(gitDirectory, 'commondir')).trim());
    yield common.replace(/[\\/]\.git(?:[\\/].*)?$/, '');
    const worktrees = path.join(common, 'worktrees');
    for (const name of fs.existsSync(worktrees) ? fs.readdirSync(worktrees) : [])
      yield path.resolve(worktrees, name, read(path.join(worktrees, name, 'gitdir')).trim(), '..');
  }

  /** Yarn's Plug'n'Play has no node_modules. */
  function findByPnp(directory) {
    for (const file of [path.join(directory, '.pnp.cjs'), path.join(directory, '.pnp.js')].filter(fs.existsSync))
      try {
        const pnp = require(file);
        const manifest = pnp.resolveRequest(`${PACKAGE}/package.json`, `${directory}/`);
        pnp.setup();
        return path.join(path.dirname(manifest), BIN);
      } catch (_) {
        // It does not have the package.
      }
  }

  function* userBins() {
    const [, npmPrefix] = /^\s*prefix\s*=\s*(.+)/m.exec(read(path.join(home(), '.npmrc'))) || [];
    for (const prefix of [path.dirname(path.dirname(process.execPath)), env.npm_config_prefix, env.NPM_CONFIG_PREFIX, npmPrefix])
      if (prefix) yield path.join(prefix.trim().replace(/^~|\$\{HOME\}/, home), 'lib/node_modules', PACKAGE, BIN);
    for (const directory of (env.PATH || '').split(path.delimiter).filter((each) => path.isAbsolute(each)))
      for (const file of [path.join(directory, PACKAGE), path.join(directory, 'ralph-loop')].filter(fs.existsSync)) {
        yield fs.realpathSync(file);
        // pnpm's shell script, and Volta's binary.
        const [, target = ''] = /"([^"]*\/bin\/ralph-loop\.js)"/.exec(read(file)) || [];
        yield target.replace('$basedir', () => directory);
        yield path.join(directory, '../tools/image/packages', PACKAGE, 'lib/node_modules', PACKAGE, BIN);
      }
    // Written by `init` when nothing else has the program.
    yield read(path.join(stateDirectory(), 'program')).trim();
  }

  /** The npm package `ralph-loop` is another program. */
  function isOwn(bin) {
    try {
      return fs.existsSync(bin) && JSON.parse(read(path.resolve(bin, '../../package.json'))).name === PACKAGE;
    } catch (_) {
      return false;
    }
  }

  function installCommand() {
    const directories = upwards(path.join(root, INSTALLED_IN), topOfRepository());
    if (!directories.some((directory) => read(path.join(directory, 'package.json')).includes(`"${PACKAGE}"`)))
      return `npm install --global ${PACKAGE}`;
    const commands = {
      'pnpm-lock.yaml': 'pnpm install',
      'yarn.lock': 'yarn install',
      'bun.lock': 'bun install',
      'bun.lockb': 'bun install',
      'package-lock.json': 'npm ci',
      'npm-shrinkwrap.json': 'npm ci',
    };
    const hasLock = (name) => directories.some((directory) => fs.existsSync(path.join(directory, name)));
    return commands[Object.keys(commands).find(hasLock)] || 'npm install';
  }

  /** Answers in place of ralph-loop: blocks the first stop of an agent, so that it can fix the problem, and allows the others. */
  function answer(problem, fix) {
    const advice = fix ? ` Run \`${fix}\`.` : '';
    if (!['hook', 'subagent-stop'].includes(argv[2])) {
      process.stderr.write(`${problem}${advice}\n`);
      process.exit(1);
    }
    // A host could take an exit code or a stack trace for an answer.
    process.on('uncaughtException', () => process.exit(0));
    let text = '';
    const respond = (isComplete) => {
      let event;
      try {
        event = Object(JSON.parse(text.replace(/^\uFEFF/, '')));
      } catch (_) {
        if (isComplete) process.exit(0);
        return;
      }
      if (isGuarded(event)) fs.writeSync(1, answerTo(event, `${problem} The stop cannot be verified.${advice}`));
      process.exit(0);
    };
    process.stdin.setEncoding('utf8').on('end', () => respond(true)).on('error', () => respond(true));
    process.stdin.on('data', (chunk) => {
      text += chunk;
      // A host may leave stdin open.
      if (/\}\s*$/.test(chunk)) respond(false);
    });
    setTimeout(() => respond(true), 10000);
  }

  /** What ralph-loop would check, as far as that is known without its parser. */
  function isGuarded(event) {
    // VS Code, OpenHands and Goose have names of their own.
    const name = String(event.hook_event_name || event.hookEventName || event.event_type || event.event).toLowerCase();
    const isMain = name === 'stop' || name === 'afteragent';
    if (env.RALPH_LOOP === '1' || (isMain ? event.agent_id !== undefined : name !== 'subagentstop')) return false;
    if (event.status !== undefined && event.status !== 'completed') return false;
    const has = (file) => fs.existsSync(path.join(root, file));
    const hasTask = read(path.join(root, '.trellis/.current-task')).trim() !== '';
    const isTrellis = has('.trellis/worktree.yaml') || (hasTask && !has('worktree.yaml'));
    if (isTrellis ? !hasTask : !['worktree.yaml', 'gate.config.json', '.gaterc.json', '.gaterc'].some(has)) return false;
    const [, named] = /^\s+agents:([^:]*)/m.exec(read(path.join(root, isTrellis ? '.trellis' : '', 'worktree.yaml'))) || [];
    const agents = named ? named.split(/[\s,[\]"'#]+/) : isTrellis ? ['check'] : ['main', 'check'];
    return agents.includes(isMain ? 'main' : event.agent_type || event.subagent_type);
  }

  function answerTo(event, text) {
    if (isFirstStop(event)) return JSON.stringify(blockFor(event, text));
    return JSON.stringify(isCursor(event) ? {} : { systemMessage: text });
  }

  function blockFor(event, reason) {
    if (isCursor(event)) return { followup_message: reason };
    if (event.client_type === 'kimi_code_cli')
      return { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: reason } };
    if (event.event_type !== undefined) return { decision: 'deny', reason, additionalContext: reason };
    const block = { decision: 'block', reason };
    const isCopilot = event.hookEventName !== undefined || argv[argv.indexOf('--host') + 1] === 'copilot';
    return isCopilot ? Object.assign({ hookSpecificOutput: Object.assign({ hookEventName: 'Stop' }, block) }, block) : block;
  }

  function isCursor({ cursor_version, conversation_id }) {
    return cursor_version !== undefined || conversation_id !== undefined;
  }

  /** No field of an event says reliably that the agent was blocked before. A stop that cannot be recorded is allowed. */
  function isFirstStop(event) {
    const { session_id, sessionId, conversation_id, agent_id, agent_type, subagent_type } = event;
    const key = JSON.stringify([root, session_id || sessionId || conversation_id, agent_id || agent_type || subagent_type]);
    const name = `blocked-${require('crypto').createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
    const user = process.getuid ? process.getuid() : 'user';
    for (const directory of [stateDirectory(), path.join(require('os').tmpdir(), `ralph-loop-${user}`)])
      try {
        makeDirectory(directory);
        const stats = fs.lstatSync(directory);
        if (!stats.isDirectory() || (process.getuid && stats.uid !== user)) continue;
        // Creates the file, or fails: it follows no link.
        fs.closeSync(fs.openSync(path.join(directory, name), 'wx', 0o600));
        return true;
      } catch (error) {
        if (error.code === 'EEXIST') return false;
      }
    return false;
  }

  /** Node's recursive mkdir never ends where a parent refuses children, as /proc does. */
  function makeDirectory(directory) {
    if (fs.existsSync(directory)) return;
    makeDirectory(path.dirname(directory));
    try {
      fs.mkdirSync(directory, 0o700);
    } catch (_) {
      // Another process has created it, or nobody can.
    }
  }

  function stateDirectory() {
    const { XDG_STATE_HOME: directory = '' } = env;
    return path.join(path.isAbsolute(directory) ? directory : path.join(home(), '.local/state'), 'ralph-loop');
  }

  function home() {
    return env.HOME || require('os').homedir();
  }

  /** The text of a file; empty if there is none, or it is a device or a pipe, whose end may never come. */
  function read(file) {
    try {
      return fs.statSync(file).isFile() ? fs.readFileSync(file, 'utf8') : '';
    } catch (_) {
      return '';
    }
  }

  /** The directory and its parents, up to the last one. */
  function upwards(directory, last) {
    const parent = path.dirname(directory);
    return directory === last || directory === parent ? [directory] : [directory].concat(upwards(parent, last));
  }
}
