import { network } from 'hardhat'
import {
  type Abi,
  type Account,
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  toHex,
} from 'viem'

type Artifact = { readonly abi: Abi; readonly bytecode: Hex }

/** A contract that can be called. */
export type Deployed = { readonly abi: Abi; readonly address: Address }

/** Opens an in-process chain that measures the gas of each transaction; the caller closes it. */
export async function openGasMeter() {
  const connection = await network.create('local')
  const client = await connection.viem.getPublicClient()
  const wallets = await connection.viem.getWalletClients()
  const [first] = wallets
  if (first === undefined) throw new Error('the chain has no accounts')
  const payer = first

  async function deploy({ abi, bytecode }: Artifact, args: readonly unknown[] = []): Promise<Deployed> {
    const hash = await payer.deployContract({ abi, bytecode, args })
    const { contractAddress } = await client.getTransactionReceipt({ hash })
    if (contractAddress == null) throw new Error('the deployment created no contract')
    return { abi, address: contractAddress }
  }

  /** Returns the receipt's gas of one transaction, including calldata and after refunds; throws if it reverts. */
  async function gasOf(
    contract: Deployed,
    functionName: string,
    args: readonly unknown[],
    account: Account | Address = payer.account,
  ) {
    const hash = await payer.writeContract({ ...contract, functionName, args, account })
    const { status, gasUsed } = await client.getTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${functionName} reverted`)
    return Number(gasUsed)
  }

  /** Returns the gas that a transaction would need to read a view, including calldata. */
  async function viewGasOf({ abi, address }: Deployed, functionName: string, args: readonly unknown[]) {
    const data = encodeFunctionData({ abi, functionName, args })
    return Number(await client.estimateGas({ account: payer.account, to: address, data }))
  }

  /** Returns the number of accounts that is asked for, each funded and able to send transactions. */
  async function openAccounts(count: number): Promise<Address[]> {
    const accounts = Array.from({ length: count }, (_, i) => getAddress(keccak256(toHex(i)).slice(0, 42)))
    for (const account of accounts) {
      await connection.networkHelpers.impersonateAccount(account)
      await connection.networkHelpers.setBalance(account, 10n ** 20n)
    }
    return accounts
  }

  return {
    deploy,
    gasOf,
    viewGasOf,
    openAccounts,
    accounts: wallets,
    /** The account that sends unless another is given. */
    payer: payer.account.address,
    chainId: await client.getChainId(),
    now: async () => (await client.getBlock()).timestamp,
    close: () => connection.close(),
  }
}

export type GasMeter = Awaited<ReturnType<typeof openGasMeter>>
