import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const README = join(import.meta.dirname, '../../../client/README.md')

/** Values for the README's placeholders. */
type Values = {
  apiBase: string
  counterpartyId?: string
  shop?: string
  agentSite?: string
}

const SERVER = `import express from 'express'
const app = express()
`

/**
 * Turns the README's examples into programs: each gets the few lines around it that its reader already has, and prints its
 * result.
 */
export function buildReadmePrograms(values: Values): Record<string, string> {
  const { counterpartyId = 'SVCE-0', shop = 'http://127.0.0.1:9', apiBase } = values
  const blocks = [...readFileSync(README, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) =>
      block
        .replaceAll('http://localhost:3000', apiBase)
        .replaceAll('SVCE-…', counterpartyId)
        .replaceAll('https://shop.your-company.io', shop)
        .replaceAll(`'https://agent.your-company.io/challenge'`, `'http://127.0.0.1:' + port + '/challenge'`),
  )
  const blockOf = (what: string) => {
    const found = blocks.filter((block) => block.includes(what))
    if (found.length !== 1) throw new Error(`${found.length} examples have ${what}`)
    return found[0] ?? ''
  }
  return {
    'shop.ts': `${SERVER}app.use(express.json())
${blockOf("@svc/client/express'\n\napp.use(")}
app.get('/catalogue', (req, res) => {
  const { verified, recommendation } = req
  res.json({ verified, recommendation })
})
const server = app.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port))
`,
    'agent.ts': `${SERVER}const server = app.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const { port } = server.address() as { port: number }
${blockOf('createAgentClient')}
const visited = { status: answer.status, body: await answer.json() }
const { metadata } = agent.a2aMetadata()
const { _meta: meta } = agent.mcpMeta({ purpose: 'shopping:buy' })
const { expiresIn } = await agent.token()
console.log(JSON.stringify({ visited, metadata, meta, expiresIn }))
server.close()
server.closeAllConnections()
`,
    'webhooks.ts': `${SERVER}const secret = 'whsec_secret'
${blockOf('verifyWebhook')}
import { signWebhook } from '@svc/client/webhooks'
const server = app.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const { port } = server.address() as { port: number }
const send = async (signedWith: string) => {
  const body = '{"type":"test"}'
  const headers = signWebhook({ rawBody: body, secret: signedWith, timestamp: Math.floor(Date.now() / 1000) })
  return (await fetch(\`http://127.0.0.1:\${port}/webhooks\`, { method: 'POST', body, headers })).status
}
console.log(JSON.stringify({ genuine: await send(secret), forged: await send('another') }))
server.close()
server.closeAllConnections()
`,
    'proof.ts': `const svcId = 'SVC-' + 'A'.repeat(22)
const verifyUrl = '${apiBase}/api/agents/verify-access'
${blockOf('openAgentKey')}
console.log(JSON.stringify({ kid: publicKey.kid, parts: proof.split('.').length, status: bought.status }))
`,
    'receipts.ts': `const receipt: string | undefined = process.env.RECEIPT
${blockOf('verifyReceipt')}
console.log(JSON.stringify({ ok, reason, agentId: claims?.sub }))
`,
    'reuse.ts': `import { gateway } from '@svc/client/express'
const options = { apiBaseUrl: '${apiBase}/api', apiKey: 'k', counterpartyId: '${counterpartyId}' }
${blockOf('reuseGrantSeconds')}
await guard.settle()
`,
    'owner.ts': `${blockOf('OWNER_KEY')}
console.log(JSON.stringify(agent))
`,
    'decide.ts': `const yamlText = ${JSON.stringify(yamlBlock())}
${blockOf('loadPolicy')}
console.log(JSON.stringify(decision))
`,
  }
}

function yamlBlock(): string {
  return /^```yaml\n([\s\S]*?)^```$/m.exec(readFileSync(README, 'utf8'))?.[1] ?? ''
}
