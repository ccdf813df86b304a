import { randomBytes } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { readSetting } from './readSetting.ts'

/**
 * Creates what the examples need at a running service and prints their settings: a shop with an API key and two endpoints,
 * and the owner of an agent. All of this can also be done in the dashboard.
 */
const apiBaseUrl = readSetting('SVC_API_BASE_URL', 'http://localhost:3000/api')
const { origin, host } = new URL(apiBaseUrl)
const suffix = randomBytes(4).toString('hex')

/** Calls the service and throws the reason if it refuses. */
async function call(method: string, path: string, options: { body?: object; bearer?: string } = {}) {
  const response = await fetch(apiBaseUrl + path, {
    method,
    headers: {
      ...(options.body ? { 'Content-Type': 'application/json' } : {}),
      ...(options.bearer ? { Authorization: `Bearer ${options.bearer}` } : {}),
    },
    ...(options.body ? { body: JSON.stringify(options.body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
  return JSON.parse(text)
}

async function signUp(name: string, accountType: 'business' | 'individual') {
  const email = `${name}-${suffix}@example-people.io`
  const password = randomBytes(12).toString('base64url')
  const body = { email, password, fullName: `Example ${name}`, accountType }
  const { data } = await call('POST', '/auth/register', { body })
  return { email, password, bearer: data.accessToken as string }
}

/** Creates an organisation with an API key and the two endpoints that agents call. */
async function createShop() {
  const { email, password, bearer } = await signUp('shop', 'business')
  const { organizationId } = await call('POST', '/organizations', {
    bearer,
    body: { name: `Shop ${suffix}` },
  })
  const { key } = await call('POST', '/api-keys', { bearer, body: { name: 'gateway', organizationId } })
  const createEndpoint = async (counterpartyType: string, name: string) => {
    const counterpartyUrl = `https://${counterpartyType.replace('_', '-')}-${suffix}.example-shop.io`
    const body = { counterpartyType, name, counterpartyUrl, trustScoreRequirement: 20 }
    return (await call('POST', '/endpoints', { bearer: key, body })).svceId
  }
  return {
    ...{ email, password, key },
    svceId: await createEndpoint('api', 'Shop'),
    mcpServerId: await createEndpoint('mcp_server', 'Products'),
  }
}

/** Creates an account and links the agent's key to it, so that agents registered with that key belong to this owner. */
async function createOwner() {
  const owner = await signUp('owner', 'individual')
  const agentKey = generatePrivateKey()
  const account = privateKeyToAccount(agentKey)
  const { nonce } = await call('GET', '/auth/siwe/nonce')
  const { chainId } = await call('GET', '/chain')
  const { address } = account
  const message = createSiweMessage({ domain: host, uri: origin, address, chainId, nonce, version: '1' })
  const signature = await account.signMessage({ message })
  await call('POST', '/auth/siwe', { bearer: owner.bearer, body: { message, signature } })
  return { ...owner, agentKey }
}

try {
  const shop = await createShop()
  const owner = await createOwner()
  console.log(`SVC_API_BASE_URL=${apiBaseUrl}
SVC_API_KEY=${shop.key}
SVC_SHOP_ID=${shop.svceId}
SVC_MCP_SERVER_ID=${shop.mcpServerId}
SHOP_EMAIL=${shop.email}
SHOP_PASSWORD=${shop.password}
AGENT_KEY=${owner.agentKey}
OWNER_EMAIL=${owner.email}
OWNER_PASSWORD=${owner.password}`)
  console.error(`The agent's owner: sign in at ${origin} as ${owner.email}, password ${owner.password},
and add a passkey under Account. The agent will ask for your approval.`)
} catch (error) {
  const isUnreachable = error instanceof Error && error.cause !== undefined
  console.error(
    isUnreachable
      ? `Nothing responds at ${origin}; start the service first (npm start), or name its URL in SVC_API_BASE_URL`
      : String(error),
  )
  process.exitCode = 1
}
