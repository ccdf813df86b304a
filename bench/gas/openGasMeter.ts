import { network } from 'hardhat'
import type { Abi, Address, Hex } from 'viem'

type Artifact = { readonly abi: Abi; readonly bytecode: Hex }

/** A contract that can be called. */
export type Deployed = { readonly abi: Abi; readonly address: Address }

/** An in-process chain that tells what each transaction used. `close` it. */
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

  /** Gas of one transaction with its calldata and after refunds, as the receipt says; a reverted one throws. */
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
