import { expect } from 'chai'
import { listSigningAccounts } from '../../../../../server/services/agents/keys/listSigningAccounts.ts'

const [SIGNER, LINKED, UNLINKED, ADMIN, STRANGER, RELAYER, WALLET] = [
  ...['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'].map((byte) => `0x${byte.repeat(20)}` as const),
] as [Address, Address, Address, Address, Address, Address, Address]

type Address = `0x${string}`

const HOLDERS: Record<Address, string> = {
  [RELAYER]: 'the relayer',
  [LINKED]: 'a wallet linked to the account of the owner or creator',
  [SIGNER]: 'the account that signed the registration',
  [UNLINKED]: 'an unlinked wallet',
  [ADMIN]: 'a wallet of somebody who administers the organisation',
  [STRANGER]: 'a stranger',
}

describe('the agentWallet among the accounts that sign for an agent', () => {
  /** The accounts that sign if an account holds the token, which names a wallet. */
  const list = (
    {
      ownerId,
      holder,
      signerAddress = SIGNER,
    }: { ownerId: string; holder: Address; signerAddress?: Address },
    wallet = WALLET,
  ) =>
    listSigningAccounts(
      {
        owners: {
          walletsOf: async () => ({ linked: [LINKED], unlinked: [UNLINKED] }),
          isWalletOfAdministrator: async (organizationId, address) =>
            organizationId === ownerId && address === ADMIN,
        },
        tokens: {
          bySvcId: async (svcId) => ({
            ...{ svcId, custody: holder === RELAYER ? 'registry' : 'owner', uri: '', seenBlock: 1 },
            // As on chain, where addresses have capitals.
            ...{ holder: holder.toUpperCase() as Address, wallet: wallet.toUpperCase() as Address },
          }),
        },
      },
      { svcId: 'SVC-a', ownerId, signerAddress },
    )

  for (const [ownerId, holder, counts] of [
    ['SVCD-1', RELAYER, true],
    ['SVCD-1', LINKED, true],
    ['SVCD-1', SIGNER, true],
    ['SVCD-1', UNLINKED, false],
    ['SVCD-1', ADMIN, false],
    ['SVCD-1', STRANGER, false],
    ['SVCO-1', RELAYER, true],
    ['SVCO-1', ADMIN, true],
    ['SVCO-1', SIGNER, true],
    // Of the creator, who may have left.
    ['SVCO-1', LINKED, false],
    ['SVCO-1', STRANGER, false],
  ] as const) {
    it(`${counts ? 'counts' : 'does not count'} for ${ownerId} if ${HOLDERS[holder]} holds the token`, async () => {
      const { accounts, own } = await list({ ownerId, holder })
      expect([accounts.includes(WALLET), own.includes(WALLET)]).to.deep.equal([counts, counts])
    })
  }

  it('does not count if the account that signed the registration was revoked and holds the token', async () => {
    const { accounts } = await list({ ownerId: 'SVCD-1', holder: UNLINKED, signerAddress: UNLINKED })
    expect(accounts).to.deep.equal([LINKED])
  })

  it('is never an unlinked wallet', async () => {
    const { accounts } = await list({ ownerId: 'SVCD-1', holder: LINKED }, UNLINKED)
    expect(accounts).to.deep.equal([LINKED, SIGNER])
  })
})
