/** Why a message, a metadata document or an address is refused. */
export type SamlCode = TransportCode | MarkupCode | SignatureCode | StatementCode | MetadataCode | FetchCode

/** Before anything is parsed. */
type TransportCode = 'too_large' | 'bad_base64' | 'bad_encoding'
/** The text is no XML of the kind we read. */
type MarkupCode = 'bad_xml' | 'doctype' | 'markup_refused' | 'too_deep' | 'too_many_nodes'
/** The shape of the message, and whether the signature holds. */
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
/** What the message says, once it is known who says it. */
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

/** An expected "no" about SAML. Whoever catches it chooses the words; a stranger is told nothing but "no". */
export class SamlProblem extends Error {
  readonly code: SamlCode
  /** What stood where something else was expected: for the log and the owner's test page. Never a person's data. */
  readonly found: string | null
  constructor(code: SamlCode, found?: string | null, cause?: unknown) {
    super(`saml: ${code}`, { cause })
    this.name = 'SamlProblem'
    this.code = code
    this.found = found?.slice(0, 200) ?? null
  }
}
