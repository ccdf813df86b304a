import { signWebhook } from '@svc/client/webhooks/signWebhook.ts'
import type { ReportedFinding } from './monitorState.ts'

/** An e-mail of the monitor. */
export type AlertMail = { id: string; to: string; subject: string; text: string; html: string }

/** Where alerts go besides standard output. */
export type AlertTargets = {
  webhook: { url: string; secret: string } | null
  mail: { to: string; send(mail: AlertMail): Promise<void> } | null
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
  { service, id, finding, now }: { service: string; id: string; finding: ReportedFinding; now: number },
): Promise<void> {
  const { text, since, evidence } = finding
  if (webhook !== null) {
    const createdAt = new Date(since).toISOString()
    const data = { service, finding: id, message: text, evidence }
    await postAlert(webhook, JSON.stringify({ type: 'audit.monitor.finding', createdAt, data }), now)
  }
  if (mail === null) return
  const documents = evidence.map((document) => `\n\n${document}`).join('')
  const body = `The monitor of the audit log at ${service} found:\n\n${text}\n\nSince ${new Date(since).toISOString()}.${documents}\n`
  await mail.send({
    id: `monitor-${since}-${id}`,
    to: mail.to,
    subject: `Audit log of ${new URL(service).host}: ${id.split(':')[0]}`,
    text: body,
    html: `<pre>${escapeHtml(body)}</pre>`,
  })
}

async function postAlert(
  { url, secret }: { url: string; secret: string },
  rawBody: string,
  now: number,
): Promise<void> {
  const signed = signWebhook({ rawBody, secret, timestamp: Math.floor(now / 1000) })
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed },
    body: rawBody,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the webhook responded with ${response.status}`)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
