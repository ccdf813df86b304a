const FIRST = '"seq":0,'

/**
 * The text of an entry before and after its sequence number, for a log that gives out the number where the entry is
 * stored.
 *
 * No string of the entry can hold what is looked for, because its quotes would be escaped, and no subject, because
 * its values are strings.
 *
 * @param entry What `auditEntry` writes for the sequence number 0.
 * @throws Error when it is for another.
 */
export function splitAuditEntry(entry: string): [before: string, after: string] {
  const at = entry.indexOf(FIRST)
  if (at < 0) throw new Error('audit entry: the first of a log is split, and no other')
  return [entry.slice(0, at + FIRST.length - 2), entry.slice(at + FIRST.length - 1)]
}
