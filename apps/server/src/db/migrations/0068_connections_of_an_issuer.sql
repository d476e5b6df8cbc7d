-- A sign-in that the provider began is answered with its connection's own start.
create index sso_connections_by_issuer on sso_connections (idp_entity_id) where enabled_at is not null;
