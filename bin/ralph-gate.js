#!/usr/bin/env node
require('../dist/program/main.cjs').gate(process.argv);
