#!/usr/bin/env node
require('./ralph-loop.js').gate(process.argv);
