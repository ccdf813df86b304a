import type { SessionPrincipal } from '../principal.ts'
import type { CodeRequired } from '../signIn/passFirstFactor.ts'
import type { ApiKeyView } from './apiKeys/apiKeyView.ts'
import type { CreateApiKeyInput } from './apiKeys/createApiKey.ts'
import type { RevokeApiKeyInput } from './apiKeys/revokeApiKey.ts'
import type { SessionGrant } from './grantSession.ts'
import type { ListPart, ListRequest } from './listPage.ts'
import type { LogInInput } from './logIn.ts'
import type { LogOutInput } from './logOut.ts'
import type { AcceptInvitationInput } from './organizations/acceptInvitation.ts'
import type { ChangeMemberInput } from './organizations/changeMember.ts'
import type { CreateOrganizationInput } from './organizations/createOrganization.ts'
import type { InviteMemberInput } from './organizations/inviteMember.ts'
import type { ListMembersInput } from './organizations/listMembers.ts'
import type { MemberView } from './organizations/memberView.ts'
import type { OrganizationView } from './organizations/organizationView.ts'
import type { RemoveMemberInput } from './organizations/removeMember.ts'
import type { OwnAccount } from './readAccount.ts'
import type { RefreshSessionInput } from './refreshSession.ts'
import type { RegisterAccountInput } from './registerAccount.ts'

type BySession = { principal: SessionPrincipal; now: number }

/** The use cases around accounts, with their dependencies bound. */
export type AccountServices = {
  register(input: RegisterAccountInput): Promise<SessionGrant>
  logIn(input: LogInInput): Promise<SessionGrant | CodeRequired>
  refresh(input: RefreshSessionInput): Promise<SessionGrant>
  logOut(input: LogOutInput): Promise<void>
  readAccount(input: BySession): Promise<OwnAccount>
  createOrganization(input: CreateOrganizationInput): Promise<OrganizationView>
  listOrganizations(input: BySession & ListRequest): Promise<ListPart<OrganizationView>>
  inviteMember(input: InviteMemberInput): Promise<MemberView>
  acceptInvitation(input: AcceptInvitationInput): Promise<OrganizationView>
  listMembers(input: ListMembersInput): Promise<ListPart<MemberView>>
  changeMember(input: ChangeMemberInput): Promise<MemberView>
  removeMember(input: RemoveMemberInput): Promise<void>
  createApiKey(input: CreateApiKeyInput): Promise<ApiKeyView & { key: string }>
  listApiKeys(input: ListRequest & { principal: SessionPrincipal }): Promise<ListPart<ApiKeyView>>
  revokeApiKey(input: RevokeApiKeyInput): Promise<{ id: string; revokedAt: string }>
  /** The public keys of access tokens, as a JWK set. */
  keySet: { keys: Record<string, string>[] }
}
