import type { Principal } from '../principal.ts'
import type { AgentStep, ChangeAgentStatusInput } from './changeAgentStatus.ts'
import type { ChangeApprovalRulesInput, changeApprovalRules } from './changeApprovalRules.ts'
import type {
  CertificationStep,
  ChangeCertificationInput,
  HeldCertifications,
} from './changeCertification.ts'
import type { IssueAgentTokenInput, issueAgentToken } from './issueAgentToken.ts'
import type { ListAgentsInput, listAgents } from './listAgents.ts'
import type { readAgent } from './readAgent.ts'
import type { readAgentCard } from './readAgentCard.ts'
import type { readApprovalRules } from './readApprovalRules.ts'
import type { RegisterAgentInput, registerAgent } from './registration/registerAgent.ts'
import type { RegistrationList } from './registrationFile/listRegistrations.ts'
import type { HandOverAgentInput } from './token/handOverAgent.ts'
import type { ChainOwner } from './token/readChainOwner.ts'
import type { UpdateAgentInput, updateAgent } from './updateAgent.ts'

type ById = { id: string; principal: Principal }

/** The use cases around agents, with their dependencies bound. */
export type AgentServices = {
  register(input: RegisterAgentInput): ReturnType<typeof registerAgent>
  issueToken(input: IssueAgentTokenInput): ReturnType<typeof issueAgentToken>
  read(input: ById & { now: number }): ReturnType<typeof readAgent>
  list(input: ListAgentsInput): ReturnType<typeof listAgents>
  update(input: UpdateAgentInput): ReturnType<typeof updateAgent>
  handOver(input: HandOverAgentInput): ReturnType<typeof readAgent>
  changeStatus(step: AgentStep, input: ChangeAgentStatusInput): ReturnType<typeof readAgent>
  readApprovalRules(input: Parameters<typeof readApprovalRules>[1]): ReturnType<typeof readApprovalRules>
  changeApprovalRules(input: ChangeApprovalRulesInput): ReturnType<typeof changeApprovalRules>
  changeCertification(step: CertificationStep, input: ChangeCertificationInput): Promise<HeldCertifications>
  readCertifications(input: { id: string }): Promise<HeldCertifications>
  card(input: ById): ReturnType<typeof readAgentCard>
  /** The public key that cards are signed with, as a JWK. */
  cardKey: Record<string, string>
  registrationFile(input: { svcId: string }): Promise<Buffer>
  registrations(input: { after: number | null }): Promise<RegistrationList>
  chainOwner(input: { address: `0x${string}` }): Promise<ChainOwner>
}
