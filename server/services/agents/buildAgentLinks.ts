/** Builds the URLs at which the service publishes an agent. */
export function buildAgentLinks(publicUrl: string, svcId: string) {
  return {
    agentCardUrl: `${publicUrl}/.well-known/agents/${svcId}.json`,
    /** The agent's token URI. */
    registrationFileUrl: `${publicUrl}/registration-files/${svcId}.json`,
    /** The agent's active public keys. */
    jwksUrl: `${publicUrl}/.well-known/agents/${svcId}/jwks.json`,
    /** `X-Svc-Verify`: the URL at which a counterparty verifies the agent's requests. */
    verificationEndpoint: `${publicUrl}/api/agents/verify-access`,
  }
}
