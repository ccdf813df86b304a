import { randomBytes } from 'node:crypto'
import { callService } from './callService.ts'

/** An account with which a person can sign in to the dashboard. */
export type DemoAccount = { email: string; password: string; bearer: string }

/** Signs up an account with a random address below `domain` and a generated password. */
export async function openAccount(
  baseUrl: string,
  { name, domain, accountType }: { name: string; domain: string; accountType: 'individual' | 'business' },
): Promise<DemoAccount> {
  const email = `${name.toLowerCase().replaceAll(' ', '-')}-${randomBytes(4).toString('hex')}@${domain}`
  const password = randomBytes(12).toString('base64url')
  const { data } = await callService(baseUrl, 'POST', '/api/auth/register', {
    status: 201,
    body: { email, password, fullName: name, accountType },
  })
  return { email, password, bearer: data.accessToken }
}
