import { z } from 'zod'
import { canonicaliseJson } from '../canonicaliseJson.ts'

/** What one record of the audit log says; hashes are 0x-hexadecimal, lower case. */
export type AuditEntryFields = {
  /** Index of the leaf in the log, from 0. */
  readonly seq: number
  /** Event type, such as `verification.completed`. */
  readonly type: string
  readonly recordId: string
  readonly agentId: string | null
  readonly endpointId: string | null
  /** Of a verified request; absent otherwise. Never together with `correlationId`. */
  readonly sessionId?: string | null
  /** Of an anonymous request; absent otherwise. */
  readonly correlationId?: string | null
  /** The recommendation; null for records that are no verification. */
  readonly decision: 'grant' | 'deny' | 'step_up_required' | 'audit' | null
  /** Dimensions that gave the reason, in the order of the answer. */
  readonly dimensions: readonly string[]
  /** Hash of what was decided upon, made with a private salt: `inputsHash`. */
  readonly inputsHash: string
  /** Hashes of the policy versions that were applied. */
  readonly policyHashes: { readonly agent: string | null; readonly endpoint: string | null }
  /** ISO 8601 UTC with milliseconds. */
  readonly time: string
  /** 16 random bytes as 32 hexadecimal digits. */
  readonly salt: string
  /** What a record that is no verification is about, such as the hash of a registration file. */
  readonly subject?: Readonly<Record<string, string>> | null
}

/**
 * The exact text of one audit entry: canonical JSON, whose UTF-8 bytes are the leaf of the log.
 *
 * It holds identifiers, hashes and names of dimensions, and nothing personal; the salt keeps the leaf hash from
 * being guessed. It is written once for every request, so the members stand here in their canonical order and
 * the platform writes them in one go; the result is that of `canonicalJson` over the same object.
 *
 * @throws Error for an impossible entry: a sequence number that is not whole, both kinds of correlation, a lone
 *   surrogate.
 *
 * Source: onchain.md "The audit log"; RFC 8785; Spec: Events.
 */
export function writeAuditEntry(fields: AuditEntryFields): string {
  const { seq, sessionId, correlationId, subject } = fields
  if (!Number.isSafeInteger(seq) || seq < 0) throw new Error(`audit entry: ${seq} is not a sequence number`)
  if (sessionId && correlationId) throw new Error(`audit entry ${seq}: both a session and a correlation`)
  const text = JSON.stringify({
    agentId: fields.agentId,
    correlationId: correlationId || undefined,
    decision: fields.decision,
    dimensions: fields.dimensions,
    endpointId: fields.endpointId,
    inputsHash: fields.inputsHash,
    policyHashes: { agent: fields.policyHashes.agent, endpoint: fields.policyHashes.endpoint },
    recordId: fields.recordId,
    salt: fields.salt,
    seq,
    sessionId: sessionId || undefined,
    time: fields.time,
    type: fields.type,
    version: 1,
  })
  // A subject has names of its own to sort. A lone surrogate, which the platform writes as \udXXX, is refused.
  if (subject || text.includes('\\ud'))
    return canonicaliseJson({ ...JSON.parse(text), ...(subject && { subject }) })
  return text
}

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

const hash = z.string().regex(/^0x[0-9a-f]{64}$/)

const schema = z.strictObject({
  version: z.literal(1),
  seq: z.int().min(0),
  type: z.string().min(1),
  recordId: z.string().min(1),
  agentId: z.string().nullable(),
  endpointId: z.string().nullable(),
  sessionId: z.string().min(1).optional(),
  correlationId: z.string().min(1).optional(),
  decision: z.enum(['grant', 'deny', 'step_up_required', 'audit']).nullable(),
  dimensions: z.array(z.string()),
  inputsHash: hash,
  policyHashes: z.strictObject({ agent: hash.nullable(), endpoint: hash.nullable() }),
  time: z.iso.datetime({ precision: 3 }),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  subject: z.record(z.string(), z.string()).optional(),
})

type Parsed =
  | { readonly ok: true; readonly entry: AuditEntryFields }
  | { readonly ok: false; readonly reason: string }

/**
 * The fields of an audit entry out of its text, for whoever checks the log.
 *
 * Strict: an unknown member, a duplicate name or any spelling but the canonical one is refused, because two
 * texts with one meaning would be two leaves.
 *
 * Source: onchain.md "The audit log"; RFC 8785.
 */
export function parseAuditEntry(text: string): Parsed {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, reason: 'the entry is not JSON' }
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'invalid' }
    return { ok: false, reason: `the entry is not an audit entry: ${path.join('.')}: ${message}` }
  }
  const { version: _, ...entry } = parsed.data
  if (entry.sessionId && entry.correlationId) return { ok: false, reason: 'the entry has two correlations' }
  if (textOf(entry) !== text) return { ok: false, reason: 'the entry is not canonical JSON' }
  return { ok: true, entry }
}

/** What the log would have written; null for what it never writes, a lone surrogate in some string. */
function textOf(entry: AuditEntryFields): string | null {
  try {
    return writeAuditEntry(entry)
  } catch {
    return null
  }
}
