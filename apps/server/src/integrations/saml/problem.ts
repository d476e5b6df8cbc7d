/** Why a message, a metadata document or an address is refused. */
export type SamlCode = TransportCode | MarkupCode | SignatureCode | StatementCode | MetadataCode | FetchCode

/** Errors before parsing. */
type TransportCode = 'too_large' | 'bad_base64' | 'bad_encoding'
/** The XML is malformed or uses features that are not allowed. */
type MarkupCode = 'bad_xml' | 'doctype' | 'markup_refused' | 'too_deep' | 'too_many_nodes'
/** Structure and signature of the message. */
type SignatureCode =
  | 'not_a_response'
  | 'status'
  | 'encrypted'
  | 'assertion_count'
  | 'foreign_element'
  | 'foreign_attribute'
  | 'bad_id'
  | 'unsigned'
  | 'signature_shape'
  | 'algorithm'
  | 'signature'
/** Content of the verified message. */
type StatementCode =
  | 'version'
  | 'issuer'
  | 'destination'
  | 'recipient'
  | 'in_response_to'
  | 'audience'
  | 'conditions'
  | 'confirmation'
  | 'subject'
  | 'name_id'
  | 'transient_name_id'
  | 'bad_time'
  | 'stale'
  | 'expired'
  | 'not_yet_valid'
  | 'session_over'
  | 'authentication'
  | 'attributes'
  | 'email'
  | 'replayed'
type MetadataCode =
  | 'not_metadata'
  | 'no_idp'
  | 'several_idps'
  | 'bad_entity_id'
  | 'no_redirect_binding'
  | 'bad_sso_url'
  | 'no_certificate'
  | 'bad_certificate'
  | 'weak_key'
  | 'key_type'
  | 'metadata_expired'
type FetchCode = 'address_refused' | 'redirected' | 'unreachable' | 'bad_answer'

/** An expected SAML failure. The caller chooses the message; visitors see no details. */
export class SamlProblem extends Error {
  readonly code: SamlCode
  /** The unexpected value, for the log and the owner's test page. Never personal data. */
  readonly found: string | null
  constructor(code: SamlCode, found?: string | null, cause?: unknown) {
    super(`saml: ${code}`, { cause })
    this.name = 'SamlProblem'
    this.code = code
    this.found = found?.slice(0, 200) ?? null
  }
}
