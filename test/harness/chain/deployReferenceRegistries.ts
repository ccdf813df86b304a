import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Abi, encodeFunctionData, type Hex, zeroAddress } from 'viem'

type Artifact = { abi: Abi; bytecode: Hex }

type Deployer = {
  deploy(artifact: Artifact, args?: unknown[]): Promise<Hex>
  write(address: Hex, abi: Abi, functionName: string, args: unknown[]): Promise<void>
}

/**
 * Deploys the ERC-8004 reference contracts, each as its authors do: a proxy of a minimal contract, which is then upgraded.
 *
 * @param checkout A compiled checkout of github.com/erc-8004/erc-8004-contracts (`npm install && npx hardhat build`); no
 * package contains them.
 */
export async function deployReferenceRegistries(checkout: string, { deploy, write }: Deployer) {
  const read = (name: string): Artifact =>
    JSON.parse(readFileSync(join(checkout, `artifacts/contracts/${name}.sol/${name}.json`), 'utf8'))
  const minimal = read('HardhatMinimalUUPS')

  async function deployUpgraded(name: string, identity: Hex, args: unknown[]): Promise<Hex> {
    const start = encodeFunctionData({ abi: minimal.abi, functionName: 'initialize', args: [identity] })
    const proxy = await deploy(read('ERC1967Proxy'), [await deploy(minimal), start])
    const final = read(name)
    const upgrade = encodeFunctionData({ abi: final.abi, functionName: 'initialize', args })
    await write(proxy, minimal.abi, 'upgradeToAndCall', [await deploy(final), upgrade])
    return proxy
  }

  const registry = await deployUpgraded('IdentityRegistryUpgradeable', zeroAddress, [])
  const reputation = await deployUpgraded('ReputationRegistryUpgradeable', registry, [registry])
  return { registry, reputation, abi: read('IdentityRegistryUpgradeable').abi }
}
