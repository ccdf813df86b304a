import { randomBytes } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { setting } from './setting.ts'

/**
 * Makes what the examples need at a running service, and writes their settings to standard output: a shop with an API key and
 * two endpoints, and the owner of an agent. A person does the same in the dashboard.
 */
const apiBaseUrl = setting('SVC_API_BASE_URL', 'http://localhost:3000/api')
const { origin, host } = new URL(apiBaseUrl)
const mark = randomBytes(4).toString('hex')

/** Calls the service; what it refuses is thrown with its reason. */
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
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

async function signUp(name: string, accountType: 'business' | 'individual') {
  const email = `${name}-${mark}@example-people.io`
  const password = randomBytes(12).toString('base64url')
  const body = { email, password, fullName: `Example ${name}`, accountType }
  const { data } = await call('POST', '/auth/register', { body })
  return { email, password, bearer: data.accessToken as string }
}

/** An organisation, its key, and the two places where agents knock. */
async function makeShop() {
  const { bearer } = await signUp('shop', 'business')
  const { organizationId } = await call('POST', '/organizations', { bearer, body: { name: `Shop ${mark}` } })
  const { key } = await call('POST', '/api-keys', { bearer, body: { name: 'gateway', organizationId } })
  const endpointOf = async (counterpartyType: string, name: string) => {
    const counterpartyUrl = `https://${counterpartyType.replace('_', '-')}-${mark}.example-shop.io`
    const body = { counterpartyType, name, counterpartyUrl, trustScoreRequirement: 20 }
    return (await call('POST', '/endpoints', { bearer: key, body })).svceId
  }
  return { key, shop: await endpointOf('api', 'Shop'), mcpServer: await endpointOf('mcp_server', 'Products') }
}

/** An account that the agent's key is linked to: agents which that key registers are this owner's. */
async function makeOwner() {
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
  const { key, shop, mcpServer } = await makeShop()
  const owner = await makeOwner()
  console.log(`SVC_API_BASE_URL=${apiBaseUrl}
SVC_API_KEY=${key}
SVC_SHOP_ID=${shop}
SVC_MCP_SERVER_ID=${mcpServer}
AGENT_KEY=${owner.agentKey}
OWNER_EMAIL=${owner.email}
OWNER_PASSWORD=${owner.password}`)
  console.error(`The agent's owner: sign in at ${origin} as ${owner.email}, password ${owner.password},
and add a passkey under Account. The agent will ask you.`)
} catch (error) {
  const isNobodyThere = error instanceof Error && error.cause !== undefined
  console.error(
    isNobodyThere ? `Nothing answers at ${origin}; start the service first: npm start` : String(error),
  )
  process.exitCode = 1
}
