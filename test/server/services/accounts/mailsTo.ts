import type { OpenAccounts } from './openAccounts.ts'

type Mail = { template: string; link: string; token: string; expiresAt: number | null }

/** Returns the pending mails for an address, oldest first, without expired ones. */
export async function mailsTo(accounts: OpenAccounts, email: string, template?: string): Promise<Mail[]> {
  const rows = await accounts.db
    .query('mail_outbox')
    .select({ template: 'template', data: 'data', expiresAt: 'expires_at' })
    .where({ recipient: email })
    .orderBy('id')
  return rows
    .filter((row) => row.expiresAt === null || row.expiresAt > accounts.time.now)
    .filter((row) => template === undefined || row.template === template)
    .map(({ data, ...mail }) => {
      const { link } = JSON.parse(data)
      return { ...mail, link, token: /[\w-]{43}$/.exec(link)?.[0] ?? '' }
    })
}
