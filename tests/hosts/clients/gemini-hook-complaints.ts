/**
 * What Gemini CLI holds against a hook, and Qwen Code, which was made from it, in the same words.
 *
 * @param log what it says of its hooks: to the person, or to its debug log
 */
export function hookComplaints(log: string): string[] {
  // An answer that it cannot read is a message to the person, and so is what stands on stderr.
  const complaint = /Hook\(s\) \[.*\] failed|Hook execution error|Hook system message: (?!ralph-loop)/;
  return log.split('\n').filter((line) => complaint.test(line));
}
