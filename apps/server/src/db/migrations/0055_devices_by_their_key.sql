-- The devices of a user are few, and counted by the key. By itself: a lock on devices must not wait for one on sessions.
drop index devices_network;
