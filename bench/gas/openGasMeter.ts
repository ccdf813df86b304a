import { network } from 'hardhat'
import type { Abi, Address, Hex } from 'viem'

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
  async function gasOf(contract: Deployed, functionName: string, args: readonly unknown[], sender = payer) {
    const hash = await sender.writeContract({ ...contract, functionName, args })
    const { status, gasUsed } = await client.getTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${functionName} reverted`)
    return Number(gasUsed)
  }

  return {
    deploy,
    gasOf,
    accounts: wallets,
    chainId: await client.getChainId(),
    now: async () => (await client.getBlock()).timestamp,
    close: () => connection.close(),
  }
}

export type GasMeter = Awaited<ReturnType<typeof openGasMeter>>
