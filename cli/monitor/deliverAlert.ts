import { signWebhook } from '@svc/client/webhooks/signWebhook.ts'
import { keyOfFinding } from './findings.ts'
import type { ReportedFinding } from './monitorState.ts'

/** An e-mail of the monitor. */
export type AlertMail = { id: string; to: string; subject: string; text: string; html: string }

/** Where alerts go besides standard output. */
export type AlertTargets = {
  webhook: { url: string; secret: string } | null
  mail: { to: string; send(mail: AlertMail): Promise<void> } | null
}

type Alert = {
  service: string
  finding: ReportedFinding
  /** Epoch milliseconds. */
  now: number
  /** Interrupts the delivery. */
  signal: AbortSignal
}

const TIMEOUT_MS = 10_000

/**
 * Delivers a finding to a webhook, signed as the service signs its own, and by e-mail.
 *
 * @throws Error that says what was not delivered.
 * Source: docs/webhooks.md.
 */
export async function deliverAlert(
  { webhook, mail }: AlertTargets,
  { service, finding, now, signal }: Alert,
): Promise<void> {
  const { id, log, text, since, evidence } = finding
  if (webhook !== null) {
    const createdAt = new Date(since).toISOString()
    const data = { service, log, finding: id, message: text, evidence }
    const rawBody = JSON.stringify({ type: 'audit.monitor.finding', createdAt, data })
    await postAlert(webhook, rawBody, { now, signal })
  }
  if (mail === null) return
  const documents = evidence.map((document) => `\n\n${document}`).join('')
  const where = log === null ? '' : `Log ${log}. `
  const body = `The monitor of the audit log at ${service} found:\n\n${text}\n\n${where}Since ${new Date(since).toISOString()}.${documents}\n`
  await mail.send({
    id: `monitor-${since}-${keyOfFinding(finding)}`,
    to: mail.to,
    subject: `Audit log of ${new URL(service).host}: ${id.split(':')[0]}`,
    text: body,
    html: `<pre>${escapeHtml(body)}</pre>`,
  })
}

async function postAlert(
  { url, secret }: { url: string; secret: string },
  rawBody: string,
  { now, signal }: Pick<Alert, 'now' | 'signal'>,
): Promise<void> {
  const signed = signWebhook({ rawBody, secret, timestamp: Math.floor(now / 1000) })
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed },
    body: rawBody,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the webhook responded with ${response.status}`)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
