import { callElevated } from '../../../api/callApi.ts'
import { withElevation } from '../../../api/withElevation.ts'
import { createThrowawayWallet } from '../../../wallet/createThrowawayWallet.ts'
import { registerWithWallet } from '../../../wallet/registerWithWallet.ts'
import { signSiweMessage } from '../../../wallet/signSiweMessage.ts'
import { buildSampleAgent } from './sampleAgent.ts'

/**
 * Registers a sample agent of the signed-in account, as any owner does with a wallet, and returns its identifier.
 *
 * The wallet is a new key in this page. It is linked only while it registers the agent: agents stay with the account, and a
 * key that nobody has must not remain a way to sign in. An account with a passkey is asked for it once.
 *
 * @throws ApiFailure.
 */
export async function registerSampleAgent(organisation: string): Promise<string> {
  const wallet = await createThrowawayWallet()
  const body = await signSiweMessage(wallet, 'Link this key to an account while it registers a sample agent.')
  return withElevation(async (elevation) => {
    const linked = await callElevated('POST /api/auth/siwe', { body }, elevation)
    try {
      return (await registerWithWallet(wallet, buildSampleAgent(organisation))).svcId
    } finally {
      if ('address' in linked) await unlink(linked.address, elevation)
    }
  })
}

/** If it fails, the outcome of the registration still counts; the account lists the wallet, which can be removed there. */
async function unlink(address: string, elevation: string | null): Promise<void> {
  await callElevated('DELETE /api/auth/wallets/:address', { params: { address } }, elevation).catch(
    () => null,
  )
}
