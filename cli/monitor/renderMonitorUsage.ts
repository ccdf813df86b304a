/** Renders the monitor's usage text. @param command How it was called. */
export function renderMonitorUsage(command: string): string {
  return `Follows the audit logs of a service, and raises an alert when one is not what it was, or not what it should be.

  ${command} --service URL [--state FILE] [WHAT] [WHERE TO] [--once]

  --service URL       the service
  --state FILE        where it remembers the logs, written atomically; without it, each start begins again
  --log ID            only this log; can be repeated. By default all that the service names, or has named
  --log-key KEY       key that must sign the checkpoints of the log that it names (verifierKey of GET /api/audit/key); can be
                      repeated. By default the one that the service names at the first look; signed hand-overs to other keys
                      are followed and remembered

Always checked: the newest checkpoint is signed, and extends the one seen before. Checked on request:
  --rpc URL --contract ADDRESS   the chain has the same head, and has had nothing newer for long: a node you trust, and the
                      address of the AuditLog contract. Without them, a service that says nothing is anchored is not believed
  --witness KEY       verifier key of a witness; can be repeated
  --cosignatures N    how many of them must have cosigned the newest checkpoint lately; all by default
  --agents ID,ID      your records: each is proven and at one place, and none that was in your export is missing; only those
                      of these agents
  --received FILE     identifiers of records that you received, one a line: each must be proven, and be in your export

Your records need an API key, in MONITOR_API_KEY, or the credentials that "svc login" stored for this service.

Alerts are JSON lines on standard output, once for each finding, and go to:
  --webhook URL       a POST, signed with the secret in MONITOR_WEBHOOK_SECRET (whsec_…) as the webhooks of the service
  --mail ADDRESS      an e-mail through SMTP_URL, from MAIL_FROM (only "npm run monitor")

  --every SECONDS     pause between two looks, 60 by default
  --patience SECONDS  how long a log may be impossible to check before that is a finding, 600 by default
  --max-age SECONDS   how long the service may show less than the chain has, and how old cosignatures may be, 3600 by default
  --acknowledge ID    drops a finding before the first look, such as "rewritten", which stays until then; can be repeated
  --once              looks once

With --once it exits with 0 if nothing is wrong, with 1 if something is, and with 2 if something could not be checked.`
}
