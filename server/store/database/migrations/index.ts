import { accounts } from './0001Accounts.ts'
import { registry } from './0002Registry.ts'
import { auditRecords } from './0003AuditRecords.ts'
import { chain } from './0004Chain.ts'
import { registries } from './0005Registries.ts'
import { agentTokens } from './0006AgentTokens.ts'
import { passkeys } from './0008Passkeys.ts'
import { ownerNotices } from './0009OwnerNotices.ts'
import { mailOutbox } from './0010MailOutbox.ts'
import { allowlists } from './0012Allowlists.ts'
import { decisionContexts } from './0013DecisionContexts.ts'
import { sharedState } from './0014SharedState.ts'
import { idempotencyKeys } from './0015IdempotencyKeys.ts'
import { domainProofs } from './0016DomainProofs.ts'
import { settledIntents } from './0017SettledIntents.ts'
import { signIn } from './0018SignIn.ts'
import { invitations } from './0019Invitations.ts'
import { linkedIdentities } from './0020LinkedIdentities.ts'
import { kyd } from './0021Kyd.ts'
import { trustHistory } from './0022TrustHistory.ts'
import { registrationRequests } from './0023RegistrationRequests.ts'
import { subAgentsAndCredentials } from './0025SubAgentsAndCredentials.ts'
import { webhooks } from './0026Webhooks.ts'
import { sharedKeysEverywhere } from './0040SharedKeysEverywhere.ts'
import { ipfsFiles } from './0041IpfsFiles.ts'
import { auditArchives } from './0042AuditArchives.ts'
import { ownEndpoints } from './0043OwnEndpoints.ts'
import { oldSessions } from './0044OldSessions.ts'
import { grownTables } from './0045GrownTables.ts'
import { ledTokens } from './0046LedTokens.ts'
import { endpointViews } from './0050EndpointViews.ts'
import { invitationMakers } from './0055InvitationMakers.ts'
import { keptAnswers } from './0060KeptAnswers.ts'
import { freshAssertions } from './0062FreshAssertions.ts'
import { endpointHosts } from './0063EndpointHosts.ts'
import { requiredFacts } from './0064RequiredFacts.ts'
import { agentKeys } from './0065AgentKeys.ts'
import { identityProofs } from './0066IdentityProofs.ts'
import { usedProofs } from './0067UsedProofs.ts'
import { unprovenWindows } from './0068UnprovenWindows.ts'
import { discoveredHosts } from './0069DiscoveredHosts.ts'
import { interventions } from './0070Interventions.ts'
import { strangersGas } from './0071StrangersGas.ts'
import { organizationControllers } from './0072OrganizationControllers.ts'
import { receipts } from './0073Receipts.ts'
import { approvalDigests } from './0074ApprovalDigests.ts'
import { operatorLists } from './0084OperatorLists.ts'
import { approvalAccounts } from './0085ApprovalAccounts.ts'
import { endedAndReused } from './0087EndedAndReused.ts'
import { refreshGrace } from './0088RefreshGrace.ts'
import { standingApprovals } from './0093StandingApprovals.ts'
import { pushSubscriptions } from './0094PushSubscriptions.ts'
import { kydComparisons } from './0095KydComparisons.ts'
import { pendingRecords } from './0103PendingRecords.ts'
import { secretsKeys } from './0105SecretsKeys.ts'
import { signingKeys } from './0106SigningKeys.ts'
import { accountErasures } from './0107AccountErasures.ts'
import { retentionIndexes } from './0108RetentionIndexes.ts'
import { witnesses } from './0110Witnesses.ts'
import { dataExports } from './0113DataExports.ts'
import { eventRetention } from './0114EventRetention.ts'
import { databaseFeatures } from './0117DatabaseFeatures.ts'
import { walletSigners } from './0118WalletSigners.ts'
import { sharedBounds } from './0119SharedBounds.ts'
import { foreignAgents } from './0122ForeignAgents.ts'
import { directory } from './0123Directory.ts'
import { severalLogs } from './0124SeveralLogs.ts'
import { recentProofs } from './0125RecentProofs.ts'
import { counterRetention } from './0126CounterRetention.ts'
import { subAgentSessions } from './0129SubAgentSessions.ts'
import { limitThresholds } from './0130LimitThresholds.ts'
import { sessionWallets } from './0131SessionWallets.ts'
import { receiptAccounts } from './0133ReceiptAccounts.ts'
import { provenKeys } from './0134ProvenKeys.ts'
import { usesOfGrants } from './0138UsesOfGrants.ts'
import { processSettings } from './0139ProcessSettings.ts'
import { lighterCompression } from './0141LighterCompression.ts'
import { traceOrigins } from './0142TraceOrigins.ts'
import { adoptedWallets } from './0143AdoptedWallets.ts'
import { pushHosts } from './0144PushHosts.ts'
import { formerKeys } from './0145FormerKeys.ts'
import { ownCaps } from './0146OwnCaps.ts'
import { revokedAccounts } from './0147RevokedAccounts.ts'
import { settledPayers } from './0150SettledPayers.ts'
import { processContracts } from './0151ProcessContracts.ts'
import { addedCredentials } from './0153AddedCredentials.ts'
import { keysOfProcesses } from './0155KeysOfProcesses.ts'
import { deploymentTransactions } from './0156DeploymentTransactions.ts'
import { replacedDeployments } from './0159ReplacedDeployments.ts'
import { passkeyHosts } from './0160PasskeyHosts.ts'
import { passkeyHostIndex } from './0161PasskeyHostIndex.ts'
import { closedDiscoveries } from './0170ClosedDiscoveries.ts'

/** The numbered migrations of the main database, in order; a released migration is never edited. */
export const migrations = [
  accounts,
  registry,
  auditRecords,
  chain,
  registries,
  agentTokens,
  passkeys,
  ownerNotices,
  mailOutbox,
  allowlists,
  decisionContexts,
  sharedState,
  idempotencyKeys,
  domainProofs,
  settledIntents,
  signIn,
  invitations,
  linkedIdentities,
  kyd,
  trustHistory,
  registrationRequests,
  subAgentsAndCredentials,
  webhooks,
  sharedKeysEverywhere,
  ipfsFiles,
  auditArchives,
  ownEndpoints,
  oldSessions,
  grownTables,
  ledTokens,
  endpointViews,
  invitationMakers,
  keptAnswers,
  freshAssertions,
  endpointHosts,
  requiredFacts,
  agentKeys,
  identityProofs,
  usedProofs,
  unprovenWindows,
  discoveredHosts,
  interventions,
  strangersGas,
  organizationControllers,
  receipts,
  approvalDigests,
  operatorLists,
  approvalAccounts,
  endedAndReused,
  refreshGrace,
  standingApprovals,
  pushSubscriptions,
  kydComparisons,
  pendingRecords,
  secretsKeys,
  signingKeys,
  accountErasures,
  retentionIndexes,
  witnesses,
  dataExports,
  eventRetention,
  databaseFeatures,
  walletSigners,
  sharedBounds,
  foreignAgents,
  directory,
  severalLogs,
  recentProofs,
  counterRetention,
  subAgentSessions,
  limitThresholds,
  sessionWallets,
  receiptAccounts,
  provenKeys,
  usesOfGrants,
  processSettings,
  lighterCompression,
  traceOrigins,
  adoptedWallets,
  pushHosts,
  formerKeys,
  ownCaps,
  revokedAccounts,
  settledPayers,
  processContracts,
  addedCredentials,
  keysOfProcesses,
  closedDiscoveries,
  deploymentTransactions,
  replacedDeployments,
  passkeyHosts,
  passkeyHostIndex,
]
