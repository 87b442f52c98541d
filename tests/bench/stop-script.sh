#!/bin/sh
# A Stop hook as a project writes it for itself. Claude Code sets stop_hook_active after a block.
grep -q '"stop_hook_active": *true' && exit 0
output=$( { npm test; } 2>&1 ) && exit 0
printf '%s\n' "$output" | tail -n 50 >&2
exit 2
