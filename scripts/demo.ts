import { parseArgs } from 'node:util'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type ChosenService, chooseService } from './demo/chooseService.ts'
import { createNarrator } from './demo/createNarrator.ts'
import { linkWallet } from './demo/linkWallet.ts'
import { type DemoAccount, openAccount } from './demo/openAccount.ts'
import { LINK_MINUTES, openSignInLinks, type SignInLinks } from './demo/openSignInLinks.ts'
import { proveIdentity } from './demo/proveIdentity.ts'
import { proveOnChain } from './demo/proveOnChain.ts'
import { registerOwnersAgent } from './demo/registerOwnersAgent.ts'
import { registerShop } from './demo/registerShop.ts'
import { verifyRequests } from './demo/verifyRequests.ts'

const USAGE = `Shows the main use case end to end.

  npm run demo                     on the service at http://localhost:3000 if one runs there, otherwise on one of its own
  npm run demo -- --url URL        on this service; --rpc URL names its chain
  npm run demo -- --keep           leaves its own service running until Ctrl+C; the default on a terminal
  npm run demo -- --no-keep        stops it at the end

PORT, PUBLIC_URL, CHAIN_PORT and RPC_URL name a service as well. Exits with 1 if any check fails.`

const isTerminal = process.stdout.isTTY === true
const { values } = parseArgs({
  allowNegative: true,
  options: {
    url: { type: 'string' },
    rpc: { type: 'string' },
    keep: { type: 'boolean', default: isTerminal },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const { PUBLIC_URL, PORT, RPC_URL, CHAIN_PORT } = process.env
const named = {
  url: values.url ?? PUBLIC_URL ?? (PORT === undefined ? undefined : `http://localhost:${PORT}`),
  rpc: values.rpc ?? RPC_URL ?? (CHAIN_PORT === undefined ? undefined : `http://127.0.0.1:${CHAIN_PORT}`),
}
const narrator = createNarrator((text) => process.stdout.write(text), isTerminal)
const stopped = new Promise<'stopped'>((resolve) => {
  // For good: npm and the terminal both send a signal, and the second one must not end the clean-up.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve('stopped'))
})

/** An account of the demo, and the page that shows what it did. */
type SignIn = { who: string; account: DemoAccount; path: string }

let isComplete = false
const service = await chooseService(named, narrator)
if (service === null) narrator.conclude('')
else {
  // A stop in the middle of the demo must not leave the service behind.
  await Promise.race([runDemo(service), stopped])
  await service.own?.stop()
}
process.exit(isComplete && narrator.failures() === 0 ? 0 : 1)

async function runDemo(chosen: ChosenService): Promise<void> {
  const { baseUrl, own } = chosen
  const context = { ...chosen, narrator }
  const accounts: SignIn[] = []
  try {
    const owner = privateKeyToAccount(generatePrivateKey())
    const person = await openOwnersAccount(baseUrl, owner)
    const agent = await registerOwnersAgent(context, owner)
    const shop = await registerShop(context)
    accounts.push({ who: 'the shop', account: shop.account, path: '/activity' })
    if (person !== null) accounts.push({ who: 'the owner', account: person, path: `/agents/${agent}` })
    const granted = await verifyRequests(context, agent, shop)
    await proveIdentity(context, owner, agent, shop)
    await proveOnChain(context, shop, granted)
  } catch (error) {
    narrator.check(error instanceof Error ? error.message : String(error), false)
  }
  isComplete = true
  narrator.conclude('Everything works, end to end.')
  if (own !== null && !values.keep) {
    narrator.note(
      'The service of the demo stops now. To look around in its dashboard: npm run demo -- --keep',
    )
    return
  }
  narrator.chapter(`Look around: ${baseUrl}/`)
  // Links need a process that answers them, which ends here if the service is not the demo's own.
  const links = own === null ? null : await showLinks(baseUrl, accounts)
  showPasswords(accounts)
  if (own === null) return
  narrator.note(`The service runs until Ctrl+C; then its files are removed (${own.folder}).`)
  await stopped
  await links?.close()
}

/** Null if the wallet cannot be linked; the agent then belongs to the wallet's own account, without a password. */
async function openOwnersAccount(baseUrl: string, wallet: PrivateKeyAccount): Promise<DemoAccount | null> {
  const person = await openAccount(baseUrl, {
    ...{ name: 'Olivia Owner', domain: 'people.io', accountType: 'individual' },
  })
  return await linkWallet(baseUrl, person.bearer, wallet).then(
    () => person,
    () => null,
  )
}

async function showLinks(baseUrl: string, accounts: readonly SignIn[]): Promise<SignInLinks> {
  const links = await openSignInLinks(baseUrl)
  narrator.note(`These links open its dashboard signed in, once each, within ${LINK_MINUTES} minutes:`)
  for (const { who, account, path } of accounts) narrator.fact(who, links.add(account, path))
  return links
}

function showPasswords(accounts: readonly SignIn[]): void {
  for (const { who, account } of accounts) {
    narrator.note(`sign in as ${who}`)
    narrator.fact('e-mail', account.email)
    narrator.fact('password', account.password)
  }
}
