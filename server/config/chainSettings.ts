/** The settings of the chain, the relayer and the audit log, as rows of `SETTINGS`. */
export const CHAIN_SETTINGS = {
  RPC_URL: { default: '(a local Hardhat chain)', meaning: 'JSON-RPC URL of the chain' },
  PUBLIC_RPC_URL: {
    default: '(the local chain)',
    meaning:
      'JSON-RPC URL of a node that anyone may use, published so that the proof pages can read the chain themselves; the node has to allow requests from other origins, and the URL must not contain a secret',
  },
  CHAIN_PORT: { default: '8545', meaning: 'Port of the local chain' },
  RELAYER_PRIVATE_KEY: {
    default: '(first account of the local chain)',
    meaning: 'Private key of the relayer, which pays for gas',
  },
  RELAYER_PRIVATE_KEY_FORMER: {
    default: '(none)',
    meaning:
      'Former value of RELAYER_PRIVATE_KEY; it finishes what it sent, and hands over what its account holds on chain, until `npm run rotate-relayer` has finished',
  },
  RELAYER_MAX_FEE_GWEI: { default: '200', meaning: 'Highest fee per gas, in gwei, that the relayer offers' },
  RELAYER_DAILY_BUDGET_ETH: {
    default: 'unlimited on the local chain, otherwise 1',
    meaning:
      'Most that the relayer spends in 24 hours, in ETH; a quarter is reserved for the audit log, and agents of accounts without a verified identity use at most a third',
  },
  RELAYER_BUDGET_SHARE_PER_ACCOUNT: {
    default: '0.1',
    meaning:
      'Largest share of RELAYER_DAILY_BUDGET_ETH, above 0 and up to 1, for what one account causes: identities of its agents, hand-overs, token URIs, published feedback',
  },
  RELAYER_BUDGET_SHARE_PER_NETWORK: {
    default: '0.2',
    meaning:
      'Largest share of RELAYER_DAILY_BUDGET_ETH, above 0 and up to 1, for identities of agents that are registered or approved from one network (/24 of IPv4, /48 of IPv6)',
  },
  IDENTITY_REGISTRY_ADDRESS: {
    default: '(deployed at first start)',
    meaning:
      'Address of an identity registry that is already deployed; cannot change once an agent has an identity',
  },
  AUDIT_LOG_ADDRESS: {
    default: '(deployed at first start)',
    meaning: 'Address of an audit log contract that is already deployed; cannot change once a batch is final',
  },
  REPUTATION_REGISTRY_ADDRESS: {
    default: '(deployed at first start)',
    meaning: 'Address of a reputation registry that is already deployed for that identity registry',
  },
  VALIDATION_REGISTRY_ADDRESS: {
    default: '(deployed at first start)',
    meaning: 'Address of a validation registry that is already deployed for that identity registry',
  },
  PUBLISH_FEEDBACK: {
    default: 'false',
    meaning:
      'Whether counterparties’ decisions are published as feedback in the reputation registry; the relayer pays for gas',
  },
  CONFIRMATIONS: {
    default: '1 on the local chain, otherwise 12',
    meaning: 'Number of blocks after which a transaction counts as final',
  },
  AUDIT_BATCH_SIZE: { default: '1024', meaning: 'Number of records in a full batch' },
  AUDIT_BATCH_SECONDS: { default: '5', meaning: 'Age at which a batch is sealed even if it is not full' },
  AUDIT_LOGS: {
    default: '1',
    meaning:
      'Number of audit logs, up to 32, over which the organisations are spread, each with its own checkpoints and anchors. Give all processes the same number, once none of an earlier release runs; a change concerns later records only',
  },
  WITNESSES: {
    default: '(none)',
    meaning:
      'Witnesses that cosign the checkpoints of the audit log: comma-separated entries of a verifier key and an address, `KEY URL`',
  },
  FOREIGN_REGISTRIES: {
    default: '(none)',
    meaning:
      'ERC-8004 identity registries on other chains whose agents are accepted: comma-separated entries `eip155:CHAIN_ID:0xADDRESS RPC_URL`, each optionally followed by `reputation=0xADDRESS reviewers=0xADDRESS+0xADDRESS`',
  },
} as const satisfies Record<string, { default: string; meaning: string }>
