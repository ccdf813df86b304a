/** Why a mail was not sent, without the recipient or what the server wrote, which usually repeats the recipient. */
export type MailFailure = {
  /** A sentence for the log and the outbox. */
  error: string
  /** What the log says besides. */
  fields: { code?: string; responseCode?: number; command?: string; err?: unknown }
  /** Whether no other attempt can succeed. */
  isFinal: boolean
}

/** A server asks for credentials, which concerns its operator and not the recipient. Source: RFC 4954 §6. */
const AUTHENTICATION_REQUIRED = 530

/**
 * Describes what a mailer or a template threw.
 *
 * Errors of nodemailer have a code, and quote the recipient in their message, their response and their lists. Others are
 * logged as they are.
 *
 * A server that permanently rejects a recipient will not accept it later. Source: RFC 5321 §4.2.1.
 */
export function describeMailFailure(thrown: unknown): MailFailure {
  const { code, responseCode, command } = (thrown ?? {}) as Record<string, unknown>
  if (typeof code !== 'string') {
    const error = thrown instanceof Error ? thrown.message : String(thrown)
    return { error, fields: { err: thrown }, isFinal: false }
  }
  const fields = {
    code,
    ...(typeof responseCode === 'number' ? { responseCode } : {}),
    ...(typeof command === 'string' ? { command } : {}),
  }
  const step = typeof command === 'string' ? ` (${command})` : ''
  if (typeof responseCode !== 'number') return { error: `${code}${step}`, fields, isFinal: false }
  const isPermanent = responseCode >= 500 && responseCode < 600 && responseCode !== AUTHENTICATION_REQUIRED
  return {
    error: `the mail server answered ${responseCode}${step}`,
    fields,
    isFinal: isPermanent && command === 'RCPT TO',
  }
}
