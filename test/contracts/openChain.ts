import { network } from 'hardhat'
import { type Abi, type Address, getAddress, getContract, type Hex } from 'viem'

/**
 * Starts an in-process chain with ten funded accounts; call `close` when the suite ends.
 *
 * `deploy` uses the committed artifacts in server/chain/artifacts, so the tests run the bytecode that the server
 * deploys and need no compiler.
 */
export async function openChain() {
  const connection = await network.create('local')
  const { viem, networkHelpers } = connection
  const client = await viem.getPublicClient()
  const wallets = (await viem.getWalletClients()).slice(0, 10)
  const walletOf = (number: number) => {
    const wallet = wallets[number]
    if (wallet === undefined) throw new Error(`the chain has no account ${number}`)
    return wallet
  }
  const deployer = walletOf(0)

  async function deploy<const T extends Abi>(artifact: { abi: T; bytecode: Hex }, args: unknown[] = []) {
    const abi: Abi = artifact.abi
    const hash = await deployer.deployContract({ abi, bytecode: artifact.bytecode, args })
    const { contractAddress } = await client.getTransactionReceipt({ hash })
    if (contractAddress == null) throw new Error('the deployment created no contract')
    return getContract({
      abi: artifact.abi,
      address: getAddress(contractAddress),
      client: { public: client, wallet: deployer },
    })
  }

  return {
    client,
    deploy,
    helpers: networkHelpers,
    /** Address of the account with this number, from 0; account 0 is the default sender. */
    account: (number: number): Address => getAddress(walletOf(number).account.address),
    walletOf,
    receipt: async (hash: Promise<Hex>) => client.getTransactionReceipt({ hash: await hash }),
    close: () => connection.close(),
  }
}

export type Chain = Awaited<ReturnType<typeof openChain>>
