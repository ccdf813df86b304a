import { expect } from 'chai'
import { mailsTo } from './mailsTo.ts'
import type { HttpAnswer, OpenAccounts } from './openAccounts.ts'

export const PASSWORD = 'correct horse battery'

/** Registers an account and sends requests for it. */
export async function register(accounts: OpenAccounts, name: string) {
  const email = `${name}@example.org`
  const registration = {
    email,
    password: PASSWORD,
    fullName: `The person ${name}`,
    accountType: 'individual',
  }
  const { status, body } = await accounts.call('POST', '/api/auth/register', { body: registration })
  expect(status).to.equal(201)
  const { accessToken, refreshToken, user } = body.data
  const call = (method: string, path: string, content?: unknown): Promise<HttpAnswer> =>
    accounts.call(method, path, { bearer: accessToken, body: content })
  return {
    email,
    accessToken,
    refreshToken,
    userId: user.id as string,
    developerId: user.developerId as string,
    call,
    /** Verifies the address with a mailed token, if it is not verified yet. */
    async verifyEmail(): Promise<void> {
      if ((await call('POST', '/api/auth/verify-email/resend')).status !== 202) return
      const token = (await mailsTo(accounts, email, 'verify_email')).at(-1)?.token
      const verified = await call('POST', '/api/auth/verify-email', { token })
      expect(verified.status).to.equal(200)
    },
    async createOrganization(): Promise<string> {
      return (await call('POST', '/api/organizations', { name: `${name}'s` })).body.organizationId
    },
    async createKey(organizationId?: string): Promise<{ id: string; key: string }> {
      const created = await call('POST', '/api/api-keys', { name: 'key', organizationId })
      expect(created.status).to.equal(201)
      return created.body
    },
  }
}

export type Person = Awaited<ReturnType<typeof register>>

/** Makes `host` invite `guest`, who verifies the address and accepts. */
export async function join(host: Person, guest: Person, organizationId: string, role = 'member') {
  const members = `/api/organizations/${organizationId}/members`
  expect((await host.call('POST', members, { email: guest.email, role })).status).to.equal(201)
  await guest.verifyEmail()
  const accepted = await guest.call('PATCH', `${members}/${guest.userId}`, { status: 'active' })
  expect(accepted.status).to.equal(200)
}
