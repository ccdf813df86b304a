/** Something that is wrong with a log. */
export type Finding = {
  /** The same for as long as the same thing is wrong. */
  id: string
  /** What is wrong, in words. */
  text: string
  /** Signed documents that show it. */
  evidence: string[]
}

/** Creates a finding. */
export function createFinding(id: string, text: string, evidence: string[] = []): Finding {
  return { id, text, evidence }
}
