/**
 * Returns the complaints of Gemini CLI, and of its fork Qwen Code, about a hook.
 *
 * @param log its messages about hooks: to the user, or in its debug log
 */
export function hookComplaints(log: string): string[] {
  // An answer that it cannot parse is a message to the user, like the output on stderr.
  const complaint = /Hook\(s\) \[.*\] failed|Hook execution error|Hook system message: (?!ralph-loop)/;
  return log.split('\n').filter((line) => complaint.test(line));
}
