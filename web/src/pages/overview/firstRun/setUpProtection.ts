import { callApi } from '../../../api/callApi.ts'
import { request } from '../../../api/request.ts'
import { isWritable } from '../../../parts/forms/isWritable.ts'
import { registerSampleAgent } from './registerSampleAgent.ts'

/** What protects an API; the key is only known to the page that created it. */
export type Protection = {
  organization: { id: string; name: string }
  key: string
  endpoint: { svceId: string; counterpartyUrl: string }
  sampleAgentId: string
}

type Input = { organization: string; counterpartyUrl: string }

/**
 * Creates an organisation, its API key, an endpoint and a sample agent: whatever of them is not made yet.
 *
 * An organisation of that name is used if the account has one. `onMade` is called after each step, so that the sequence
 * can be resumed where it failed.
 *
 * @throws ApiFailure.
 */
export async function setUpProtection(
  { organization: name, counterpartyUrl }: Input,
  made: Partial<Protection>,
  onMade: (made: Partial<Protection>) => void,
): Promise<void> {
  const organization = made.organization ?? (await findOrCreateOrganization(name))
  onMade({ organization })
  const key = made.key ?? (await createKey(organization.id))
  onMade({ key })
  if (made.endpoint === undefined) {
    const body = { name: new URL(counterpartyUrl).host, counterpartyUrl, trustScoreRequirement: 40 }
    const { svceId, endpoint } = await request('POST /api/endpoints', { body }, key)
    onMade({ endpoint: { svceId, counterpartyUrl: endpoint.counterpartyUrl } })
  }
  if (made.sampleAgentId === undefined)
    onMade({ sampleAgentId: await registerSampleAgent(organization.name) })
}

/** Creates an API key of an organisation for the first run. @throws ApiFailure. */
export async function createKey(organizationId: string): Promise<string> {
  const body = { name: 'Created by the first steps in the dashboard', organizationId }
  return (await callApi('POST /api/api-keys', { body })).key
}

async function findOrCreateOrganization(name: string): Promise<Protection['organization']> {
  const { items } = await callApi('GET /api/organizations', { query: { limit: 100 } })
  const known = items.find((one) => one.name === name && isWritable(one))
  if (known !== undefined) return { id: known.organizationId, name }
  const { organizationId } = await callApi('POST /api/organizations', { body: { name } })
  return { id: organizationId, name }
}
