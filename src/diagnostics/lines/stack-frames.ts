/** Stacks: what a frame looks like, which frames are not the project's, and what is above the stack of a thread. */

import { formTable } from './forms.ts';

const FRAME = formTable(/^[\s│]*/, {
  'JavaScript, the JVM, .NET, Valgrind': { pattern: /at\b/, example: '    at total (src/cart.js:3:5)' },
  'npm, behind its tag': {
    pattern: /(?:\S{1,4}\s+)?(?:npm )?(?:error|ERR!)\s+at\s/,
    example: 'npm error     at total (src/cart.js:3:5)',
  },
  'a list of tasks, behind its mark': {
    pattern: /\[FAILED\]\s+at\s/,
    example: '[FAILED]     at /p/a.gql:2:43',
  },
  'JavaScript, in a comment of TAP': {
    pattern: /#\s+at (?:\S.* \()?\S+:\d+:\d+\)/,
    example: '#     at total (src/cart.js:3:5)',
  },
  'JavaScript without `at`': { pattern: /\S+\s\(\S+:\d+(?::\d+)?\)$/, example: 'total (src/cart.js:3:5)' },
  'JavaScript without `at`, asynchronous': {
    pattern: /async \S+ \((?:\S+:\d+:\d+|index \d+)\)$/,
    example: 'async Suite.run (node:internal/test_runner/test:1135:7)',
  },
  Nim: { pattern: /\S+\.nims?\(\d+(?:, \d+)?\)\s+\w/, example: '/p/src/cart.nim(19) total' },
  Vitest: { pattern: /❯\s.*\S:\d/, example: ' ❯ src/cart.ts:3:5' },
  Japa: { pattern: /⁃ at\b/, example: ' ⁃ at Object.executor (tests/cart.spec.ts:3:5)' },
  'a place alone, and Ruby': { pattern: /(?:# )?\S+:\d+(?::\d+)?(?:$|:\s?in\b)/, example: '# cart.rb:3:in' },
  'Ruby, Crystal, and what a C file is included from': { pattern: /from\s.*:\d+/, example: 'from cart.rb:3' },
  IPython: {
    pattern: /(?:File \S+:\d+|Cell In ?\[\d+\], line \d+)(?:, in .*)?$/,
    example: 'Cell In [5], line 7, in mean(name)',
  },
  'Python, Coq': { pattern: /(?:[|#]\s+)?File "/, example: '  |   File "cart.py", line 3, in total' },
  OCaml: {
    pattern: /(?:Raised|Re-raised|Called) (?:at|by|from)\s.*in file "/,
    example: 'Called from Cart.total in file "cart.ml", line 3, characters 2-5',
  },
  'gdb, sanitizers, PHP, Dart': { pattern: /#\d+\s/, example: '#0  total (cart=0x0) at cart.c:3' },
  LLDB: { pattern: /(?:\* )?frame #\d+: /, example: '  * frame #0: 0x0001 cart`total at cart.c:3' },
  'Valgrind, the callers': { pattern: /by 0x/, example: '   by 0x109123: main (cart.c:9)' },
  "glibc's backtrace, D, the JVM": { pattern: /\S.*\[0x[\da-f]+\]$/, example: './cart(total+0x1a)[0x55d1c]' },
  glog: { pattern: /@ +0x[\da-f]+ /, example: '    @     0x55d1c0de  cart::total()' },
  'Rust, Node without symbols': { pattern: /\d+:\s+(?:0x|<|\w+(?:::.*)?$)/, example: '   3: cart::total' },
  'Go, a function': { pattern: /(?=\S.*\)$)[\w./@$-]+\.[\w.*()$]+\(/, example: 'main.(*Cart).Total(0xc000)' },
  'Go, its place': { pattern: /\S+:\d+ \+0x/, example: '\t/p/cart.go:3 +0x7b' },
  'Go, what started it': { pattern: /created by \S+(?: in goroutine \d+)?$/, example: 'created by main.run' },
  'the JVM, frames that are left out': { pattern: /\.{3} \d+ more/, example: '\t... 12 more' },
  Clojure: { pattern: /\[+[\w.$]+ \w+ "[\w.]+" \d+\]/, example: '[shop.cart$total invokeStatic "a.clj" 3]' },
  "Erlang's shell": {
    pattern: /in (?:call from|function) .*\.erl, line \d+\)$/,
    example: 'in function  cart:total/1 (cart.erl, line 3)',
  },
  'Erlang, as a term': {
    pattern: /(?:\*\* )?\[*\{\w+,'?[a-z_-][^,]*,\d+,(?:$|\s*\[\{file,)/,
    example: ' [{cart,total,1,[{file,"cart.erl"},{line,3}]},',
  },
  'Erlang, the place of a long term': {
    pattern: /\[\{file,"\w+\.erl"\},\{line,/,
    example: '           [{file,"cart.erl"},{line,3}]},',
  },
  Elixir: {
    pattern: /\(\w+ \d[\d.]*\) \S+\.(?:exs?|erl):\d+: /,
    example: '(shop 0.1.0) lib/cart.ex:3: total/1',
  },
  'Windows and .NET, by module': { pattern: /[\w.]+!\w+[.:]\w/, example: '  Shop!Shop.Cart.Total(int32)' },
  Julia: { pattern: /\[\d+\] \S.*\sat \S+:\d+(?: \[inlined\])?$/, example: '[1] total(::Cart) at cart.jl:3' },
  'Julia, the place': { pattern: /@ \w[\w.]* \S+:\d+(?: \[inlined\])?$/, example: '@ Shop /p/cart.jl:3' },
  Symfony: { pattern: /\S+\(\) at \S+:\d+$/, example: ' App\\Cart->total() at /p/src/Cart.php:3' },
});

/** Where the code of packages, runtimes and test runners is. */
const EXTERNAL_PLACE = formTable(/(?:)/, {
  'npm packages': { pattern: /node_modules/, example: 'at handle (/p/node_modules/express/layer.js:3:5)' },
  Node: { pattern: /node:/, example: 'at Server.emit (node:events:524:28)' },
  'Node, older': {
    pattern: /\bat (?:\S.* \()?internal\/\S+\.js:/,
    example: 'at load (internal/modules/cjs/loader.js:3:5)',
  },
  'Node, where it was built': { pattern: /\/home\/iojs\//, example: 'at /home/iojs/build/ws/uv.c:3:5' },
  Deno: { pattern: /\(ext:\w/, example: 'at Object.readTextFile (ext:deno_fs/30_fs.js:1:10048)' },
  'Python packages': { pattern: /(?:site|dist)-packages/, example: 'File "/site-packages/trio.py", line 3' },
  "Python's library": { pattern: /lib\/python\d/, example: 'File "/opt/lib/python3.11/doctest.py", line 3' },
  'Python, as a part of the program': { pattern: /<frozen /, example: 'File "<frozen runpy>", line 3' },
  'programs of the system': { pattern: /"\/usr\/(?:local\/)?s?bin\//, example: 'File "/usr/bin/x", line 3' },
  'libraries of the system': {
    pattern: /\/usr\/(?:lib|share|include|local\/(?:lib|go))/,
    example: '/usr/include/c++/12/bits/stl_vector.h:3:5',
  },
  'libraries of the system, by their files': {
    pattern: /(?<![\w.])\/lib(?:64)?\/[\w.+/-]+\.so\b/,
    example: '/lib/x86_64-linux-gnu/libruby-3.1.so.3.1(rb_yield+0x78) [0x7fd607058498]',
  },
  'WebAssembly, without a place': {
    pattern: /\bwasm:\/\/wasm\//,
    example: '    at wasm://wasm/022c915e:wasm-function[3628]:0x21a29a',
  },
  'Go modules': { pattern: /\/pkg\/mod\//, example: '/home/dev/go/pkg/mod/example.com/a@v1.0.0/a.go:3' },
  'Go, by its root': { pattern: /goroot\/src/, example: '/opt/goroot/src/testing/testing.go:3 +0x1' },
  'Go, in its directory': {
    pattern: /\/go(?:-[\d.]+)?\/(?:[\d.]+\/\w+\/)?src\/(?:testing|runtime|internal)\//,
    example: '/opt/go/src/runtime/panic.go:3',
  },
  'the tests of Go': { pattern: /\b_testmain\.go/, example: '_testmain.go:49 +0x1aa' },
  Rust: { pattern: /\/rustc\//, example: 'at /rustc/5980761/library/std/src/panicking.rs:3:5' },
  'the JVM': { pattern: /java\.base[@/]/, example: 'at java.base/java.util.List.forEach(List.java:3)' },
  'Ruby packages': { pattern: /\/gems\//, example: "/home/dev/gems/rack-3.0/lib/rack.rb:3:in `call'" },
  'vendored packages': { pattern: /vendor\//, example: '#3 /p/vendor/symfony/Application.php(3): run()' },
  "Julia's library": { pattern: /\/stdlib\/v\d/, example: '@ Test /opt/julia/stdlib/v1.9/Test/Test.jl:3' },
  'Julia, where it was built': { pattern: /\/julia\/base\//, example: '@ Base /b/julia/base/array.jl:3' },
  Julia: { pattern: /(?:\bat|@ Base) \.\/\w+\.jl:\d/, example: '[8] include(::String) at ./client.jl:439' },
  'Julia, code without a file': { pattern: /\bat none:\d/, example: '[9] top-level scope at none:6' },
  'Elixir and Erlang': {
    pattern: /\((?:elixir|ex_unit|mix|logger|iex|eex|stdlib|kernel|erts|compiler) \d/,
    example: '(stdlib 4.2) gen_server.erl:3: :gen_server.handle_msg/6',
  },
  'the start of C': { pattern: /\.\.\/csu\//, example: '#4 0x7f93 in __libc_start_main ../csu/start.c:3' },
  'glibc, for a system': { pattern: /\bsysdeps\//, example: 'clone3 () at ../sysdeps/unix/clone3.S:3' },
  'glibc, threads': { pattern: /\bnptl\//, example: '#2  0x7fff in start_thread () at ./nptl/create.c:3' },
  'glibc, by its library': {
    pattern: /\blib(?:c|pthread)[.-][\w.]*so\b/,
    example: '#4 0x7f93 in abort () from libc.so.6',
  },
  'glibc, by its files': {
    pattern:
      /\((?:clone\d?\.S|clone-internal\.c|pthread_\w+\.c|libc[-_]start\w*\.[ch]|vfprintf-[\w-]+\.c|(?:genops|fileops|io(?:puts|fputs|fwrite|fread|v?s?n?printf)|v?s?n?f?printf|strn?dup|msort)\.c):\d+\)/,
    example: 'at 0x4973B3F: clone (clone.S:76)',
  },
  sanitizers: { pattern: /\blibsanitizer\//, example: '#0 0x7f66 in malloc ../src/libsanitizer/asan.cpp:3' },
  'sanitizers, without a place': { pattern: /<null> (?:<null>|\(\S+\+0x)/, example: '#7 <null> <null>' },
  GCC: { pattern: /\/lib\/gcc\//, example: '#2 invoke() /opt/lib/gcc/12/invoke.h:3:5' },
  'Fortran, without symbols': { pattern: /\bin \?\?\?$/, example: '#0  0x7f117f6218c2 in ???' },
  'D, without symbols': { pattern: /^\?\?:\?/, example: '??:? onRangeError [0x7f5d7a7cd248]' },
  'Dart packages': {
    pattern: /\bpackage:(?:flutter(?:_test)?|test(?:_api|_core)?|matcher|stack_trace|async)[/ ]/,
    example: '#0      fail (package:matcher/src/expect.dart:3:5)',
  },
  Dart: { pattern: /\bdart:(?:async|core|isolate|_)/, example: '#4      _run (dart:async/zone.dart:3:5)' },
});

/** Of the JVM and .NET, by the start of a name. */
const LIBRARIES =
  'java|javax|jdk|sun|com\\.sun|sbt|scala|kotlin|kotlinx|groovy|clojure|leiningen|System|Microsoft|Xunit|NUnit';
const ORG_LIBRARIES =
  'junit|testng|assertj|hamcrest|scalatest|specs2|gradle|codehaus|apache\\.groovy|springframework|hibernate|mockito|apache\\.(?:maven|tomcat|catalina|coyote)';
const ERLANG_MODULES =
  'eunit\\w*|ct|ct_\\w+|test_server\\w*|gen|gen_\\w+|proc_lib|supervisor|erl_eval|init|timer';

/** What such code is called in a frame; a name of the project's code may have types of theirs in brackets. */
const EXTERNAL_NAME = formTable(/(?:)/, {
  'the JVM, .NET': {
    pattern: new RegExp(
      `(?:\\bat |^\\s*\\[*)(?:[\\w.]+\\/{1,2})?(?:${LIBRARIES}|org\\.(?:${ORG_LIBRARIES}))\\.`,
    ),
    example: '\tat org.junit.Assert.fail(Assert.java:89)',
  },
  '.NET, by module': { pattern: /\b(?:System|Microsoft)[\w.]*!/, example: 'System!System.Monitor.Wait()' },
  Mono: { pattern: /\bat \(wrapper /, example: '  at (wrapper managed-to-native) A.Invoke()' },
  'functions of JavaScript': { pattern: /\((?:<|&lt;)anonymous>\)(?: \{)?$/, example: 'at a (<anonymous>)' },
  'promises of JavaScript': {
    pattern: /\bPromise\.\w+ \(index \d+\)(?:,| \{)?$/,
    example: '    at async Promise.all (index 0)',
  },
  Jasmine: { pattern: /\bat <Jasmine>$/, example: '        at <Jasmine>' },
  'Next.js, with a page of its manual': {
    pattern: /\bat <unknown> \(https?:\S+[^\d)]\)$/,
    example: '    at <unknown> (https://nextjs.example/docs/messages/module-not-found)',
  },
  // A package of a project has the name of the module before it.
  Go: { pattern: /^\s*internal\/[\w/]+\.[\w.*()]+\(/, example: 'internal/poll.(*FD).Read(0xc000012345)' },
  'Node, compiled': { pattern: /^\s*\d+: _Z+N4node/, example: '   7: _ZZN4node14ThreadPoolWork4FUNES2_' },
  'Node, by its program': { pattern: /\[node\]$/, example: ' 4: 0x10fb205  [node]' },
  'Valgrind, without a place': {
    pattern: /\b(?:at|by) 0x[\dA-F]+: \S.* \(in \/\S+\)$/,
    example: '   by 0x10E6B0: run (in /p/build/test_cart)',
  },
  'frameworks of C++, by their files': {
    pattern: /[(/ ](?:catch(?:_\w+)?|gtest(?:-[\w-]+)?|gmock(?:-[\w-]+)?|doctest)\.(?:hpp|h|cc|cpp):\d+\)?$/,
    example: '   by 0x131F11: Catch::TestCase::invoke() const (catch.hpp:14330)',
  },
  V8: { pattern: /\bv\d::/, example: ' 5: 0xd3a  v8::Isolate::Fail(char const*) [/bin/node]' },
  'Rust without symbols': { pattern: /^\s*\d+: <unknown>$/, example: '   1: <unknown>' },
  'Rust, C++': {
    pattern: /^[^(<]*(?:\s<(?:fn\(\) -> )?)?\b(?:core|std)::/,
    example: '   2: core::panicking::panic_fmt',
  },
  glog: {
    pattern: /@ +0x\S+ +(?:google::|absl::|folly::|\(unknown\)$|__libc_\w+$|_start$)/,
    example: '    @     0x7f0a7a9911ed  google::LogMessage::Fail()',
  },
  'the start of a program': { pattern: /\(_start\+0x/, example: './t(_start+0x21)[0x56509a329111]' },
  'Python, code without a file': {
    pattern: /File "<string>", line \d+, in (?!<module>)/,
    example: '  File "<string>", line 8, in run_migrations',
  },
  OCaml: {
    pattern: /\b(?:Raised|Called) (?:at|by|from) (?:primitive operation )?(?:Stdlib|Alcotest|OUnit|Lwt)/,
    example: 'Raised at Stdlib.failwith in file "stdlib.ml", line 29, characters 17-33',
  },
  "Erlang's shell": {
    pattern: /\((?:eunit|gen|proc|ct|test_server|supervisor)\w*\.erl, /,
    example: 'in function  gen_server:try_handle_call/4 (gen_server.erl, line 1149)',
  },
  'Erlang, as a term': {
    pattern: new RegExp(`(?:^\\s*(?:\\*\\* )?\\[*\\{|\\[\\{file,")(?:${ERLANG_MODULES})(?:,|\\.erl")`),
    example: '     {gen_server,try_handle_call,4,[{file,"gen_server.erl"},{line,1149}]},',
  },
  'Clojure, what is evaluated': { pattern: /\$eval\d+[$. ]/, example: '[shop$eval197 doInvoke "a.clj" 9]' },
  'Clojure, what calls a function': {
    pattern: /\$(?!fn__)\w+[. ]invoke [("]/,
    example: ' [shop.cart$total invoke "cart.clj" 3]',
  },
});

/** Lines of a stack that are no calls of the project's. */
const RUNTIME_FRAME = formTable(/^\s*/, {
  'pytest, the end of a stack in a library': {
    pattern: /\/usr\/lib\/python\S*\.py:\d+: (?:in \w+|\w+)$/,
    example: '/usr/lib/python3.11/unittest/mock.py:933: AssertionError',
  },
  'R, packages for tests, in a tree': {
    pattern: /(?:\d+\. )?[│├└─ ]*(?:testthat|rlang|withr)::\S/,
    example: '    3. │   └─rlang::eval_bare(expr, quo_get_env(quo))',
  },
  'D, what the compiler adds': {
    pattern: /\S*<no_file>:\d+ /,
    example: '/p/<no_file>:1 void a.__modtest() [0x5f]',
  },
  'Pascal, without symbols': { pattern: /at {3}\$[\dA-F]{8,}$/, example: '  at   $0000000000484E20' },
  Tcl: { pattern: /invoked from within$/, example: '    invoked from within' },
  'Tcl, its commands': { pattern: /"(?:uplevel|catch) .*"$/, example: '"uplevel #0 source a.tcl"' },
  'Tcl, the bodies of its commands': {
    pattern: /\("(?:uplevel|eval|foreach|for|while|if)" body line \d+\)$/,
    example: '    ("foreach" body line 3)',
  },
  'Tcl, the first file': { pattern: /"source \S+"$/, example: '"source cart.tcl"' },
  'Lisp, what a macro has become, with the names that it generates': {
    pattern: /\((?:let\*?|if|setq|progn|closure|unwind-protect|condition-case) .*[a-z]-\d+\b/,
    example: '  (let ((value-202 (total))) value-202)',
  },
  'Lisp, a long form around a call': {
    pattern: /\((?:let\*?|if|or|and|cond|when|unless|progn|closure) .{120}/,
    example: `  (or ${'(equal (total cart) 3) '.repeat(6)}`,
  },
  'Lisp, what it runs': {
    pattern: /(?:apply|eval)\((?:\S+ )?\((?:closure|let) /,
    example: '  apply((closure (t) nil (total)) nil)',
  },
  'Lisp, its own functions': {
    pattern: /(?:apply\()?(?:signal|ert-[\w-]+|command-line(?:-\d+)?|normal-top-level)[( ][()"#\w-]/,
    example: '  signal(ert-test-failed ((= 3 4)))',
  },
  'Lua, what is no source': { pattern: /\[C\]: in /, example: "\t[C]: in function 'error'" },
  Go: { pattern: /panic\(\{?0x/, example: 'panic({0x770940, 0x84eb30})' },
  'Racket, what it runs': {
    pattern: /body of (?:top-level$|\(submod "\/usr\/)/,
    example: '   body of (submod "/usr/share/racket/test.rkt" process)',
  },
  'Racket, its library': { pattern: /(?<=\s)\/usr\/\S+:\d+:\d+: \S+$/, example: '  /usr/a.rkt:3:0: raise' },
  'Crystal, without symbols': { pattern: /from \?\?\?$/, example: '  from ???' },
  'Crystal, the start of a program': {
    pattern: /from \S+ in '(?:\?\?|_start|__libc_start_main|main)'$/,
    example: "  from /lib/x86_64-linux-gnu/libc.so.6 in '??'",
  },
});

/** The innermost frame, with the message of what was thrown there. */
const THROWN_FRAME = formTable(/(?:)/, {
  Ruby: { pattern: /:\d+:in [`'][^']*': \S/, example: "/p/lib/rack.rb:3:in `call': no route" },
});

/** The line above the stack of one thread, by its id, its name or its state. */
const THREAD = formTable(/^/, {
  Go: { pattern: /goroutine \d+ (?:\S+=\S+ )*\[[^\]]*\]:/, example: 'goroutine 39 [semacquire, 5 minutes]:' },
  'Python, gdb': {
    pattern: /(?:Current )?[Tt]hread (?:0x)?[\da-f]+ .*\)(?::| *: ".*")/,
    example: 'Current thread 0x00007f2a38ff96c0 (most recent call first):',
  },
  'pytest-timeout': { pattern: /~+ Stack of \S+ \(\d+\) ~+/, example: '~~~ Stack of worker-1 (140021) ~~~' },
  'the JVM': { pattern: /"[^"]*" .*\b(?:tid|nid)=/, example: '"main" #1 prio=5 tid=0x00007fabc4 nid=0x744f' },
  'the JVM, of virtual threads too': { pattern: /#\d+ "[^"]*"(?: virtual)?$/, example: '#22 "" virtual' },
  'coroutines of Kotlin': {
    pattern: /Coroutine "?\S+"?:.*\bstate: \w+/,
    example: 'Coroutine "request#2":StandaloneCoroutine{Active}@1b2c3d, state: SUSPENDED',
  },
  '.NET': { pattern: /Thread \(0x[\dA-F]+\):/, example: 'Thread (0x1C2F):' },
  'Swift, macOS': { pattern: /Thread \d+(?: ".*")?(?: [Cc]rashed)?:/, example: 'Thread 0 "main" crashed:' },
  LLDB: { pattern: /[* ] thread #\d+\b/, example: '* thread #1, stop reason = signal SIGSEGV' },
});

export const STACK_TABLES = { FRAME, EXTERNAL_PLACE, EXTERNAL_NAME, RUNTIME_FRAME, THROWN_FRAME, THREAD };

/** A frame of a stack. */
export function isFrame(text: string): boolean {
  return FRAME.pattern.test(text);
}

/** A frame of code that is not the project's. */
export function isExternalFrame(text: string): boolean {
  if (RUNTIME_FRAME.pattern.test(text)) return true;
  if (THROWN_FRAME.pattern.test(text)) return false;
  return isFrame(text) && (isExternalPlace(text) || EXTERNAL_NAME.pattern.test(text));
}

/** Names a place in code that is not the project's. */
export function isExternalPlace(text: string): boolean {
  return EXTERNAL_PLACE.pattern.test(text);
}

/** A frame of a package that the project depends on, with its place. */
export function isDependencyFrame(text: string): boolean {
  return (
    isFrame(text) && /(?:node_modules|(?:site|dist)-packages|pkg\/mod|gems)\/.*(?::\d|line \d)/.test(text)
  );
}

/** The heading of the stack of one thread in a dump. */
export function isThreadHeading(text: string): boolean {
  return THREAD.pattern.test(text);
}

/** The indent of a line of a stack, beside the bars of an exception group of Python, or in a comment of TAP. */
export function stackIndentOf(text: string): number {
  return text.search(/(?!^# )[^\s|│]/);
}
