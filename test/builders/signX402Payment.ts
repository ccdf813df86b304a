import { x402Assets } from '@svc/core/commerce/mandates/x402Assets.ts'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

const NETWORK = 'eip155:84532'

type Transfer = {
  to: Hex
  /** In the smallest unit of the token. */
  value: string
  /** Unix seconds. */
  validAfter: string
  validBefore: string
  nonce: Hex
}

const TRANSFER: Transfer = {
  to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  value: '10000',
  validAfter: '1740672089',
  validBefore: '1740672154',
  nonce: '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480',
}

/** Signs a payment of x402, version 2: 0.01 USDC on Base Sepolia unless `varied` says otherwise. Returns its JSON. */
export async function signX402Payment(payer: PrivateKeyAccount, varied: Partial<Transfer> = {}) {
  const transfer = { ...TRANSFER, ...varied }
  const { to, value, validAfter, validBefore, nonce } = transfer
  const asset = x402Assets[NETWORK]?.[0]
  if (asset === undefined) throw new Error('no token')
  const { name, version } = asset
  const verifyingContract = asset.address as Hex
  const signature = await payer.signTypedData({
    domain: { name, version, chainId: 84532, verifyingContract },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: {
      ...{ from: payer.address, to, nonce, value: BigInt(value) },
      ...{ validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
    },
  })
  return {
    x402Version: 2 as const,
    accepted: {
      ...{ scheme: 'exact', network: NETWORK, amount: value, asset: verifyingContract, payTo: to },
      ...{ maxTimeoutSeconds: 60, extra: { name, version } },
    },
    payload: { signature, authorization: { from: payer.address, ...transfer } },
  }
}
