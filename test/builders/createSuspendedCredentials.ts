import { api } from '../harness/service/api.ts'
import { createOrganisation } from './participants.ts'
import { signInOperator } from './signInOperator.ts'

/** A credential, and what it gets wherever a credential is read. */
export type SuspendedCredential = readonly [
  name: string,
  code: 'ACCOUNT_SUSPENDED' | 'ORGANIZATION_SUSPENDED',
  headers: Record<string, string>,
]

/** Creates the credentials of an account and of an organisation, and has an operator suspend both. */
export async function createSuspendedCredentials(baseUrl: string): Promise<SuspendedCredential[]> {
  const [person, organisation] = [await createOrganisation(baseUrl), await createOrganisation(baseUrl)]
  const { bearer, elevation } = await signInOperator(baseUrl)
  const headers = { 'x-svc-elevation': await elevation() }
  const { user } = (await api(baseUrl, 'GET', '/api/me', { bearer: person.accessToken })).body
  for (const subject of [`accounts/${user.id}`, `organizations/${organisation.organizationId}`]) {
    const body = { reason: 'A reason.' }
    const answer = await api(baseUrl, 'POST', `/api/admin/${subject}/suspend`, { bearer, headers, body })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  }
  const bearing = (token: string) => ({ authorization: `Bearer ${token}` })
  return [
    ['a suspended account’s session', 'ACCOUNT_SUSPENDED', bearing(person.accessToken)],
    ['a suspended account’s key', 'ACCOUNT_SUSPENDED', bearing(person.personalKey)],
    ['an organisation’s key of a suspended account', 'ACCOUNT_SUSPENDED', bearing(person.apiKey)],
    ['a suspended organisation’s key', 'ORGANIZATION_SUSPENDED', bearing(organisation.apiKey)],
  ]
}
