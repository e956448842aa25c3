#!/usr/bin/env python3
"""/usr/local/bin/leader-watch on every machine. Its arguments: the name of this machine, and etcd's addresses.

Patroni replaces a dead leader when its lock in etcd expires, after 20 s: Patroni takes no shorter `ttl`. The
synchronous standby runs this to revoke the lock's lease earlier. For Patroni that is the same as if it had
expired: only the leader and its synchronous standby may take it again, and a former leader that lost it steps
down. It can confirm no write then: each waits for that standby.
"""
import base64
import http.client
import json
import socket
import struct
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

# Longer than a busy machine is silent. HAProxy has turned away from the leader by then.
SILENCE_SECONDS = 5
# A failover ends within seconds. A fault of the network must not cause one after the other.
PAUSE_SECONDS = 20
TIMEOUT_SECONDS = 2
KEYS = '/service/wholesale/'
SSL_REQUEST = struct.pack('!ii', 8, 80877103)
# OSError covers what does not answer, the others what answers nonsense.
FAULTS = (OSError, ValueError, KeyError, http.client.HTTPException)

name = sys.argv[1]
# The etcd of this machine first: that of the leader may have ended with it.
hosts = sorted(sys.argv[2].split(','), key=lambda host: host.split(':')[0] != name)


def encode(text):
    return base64.b64encode(text.encode()).decode()


def decode(text):
    return base64.b64decode(text).decode()


def ask_etcd(path, body):
    for host in hosts:
        request = urllib.request.Request(f'http://{host}/v3/{path}', json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
                return json.load(answer)
        except FAULTS as fault:
            last = fault
    raise OSError(f'etcd does not answer: {last}')


def read_leader():
    """The lease of the leader's lock and the leader's addresses, if this machine is its synchronous standby."""
    # The key after the last one with this beginning: '/' is followed by '0'.
    found = ask_etcd('kv/range', {'key': encode(KEYS), 'range_end': encode(KEYS[:-1] + '0')}).get('kvs', [])
    entries = {decode(each['key'])[len(KEYS):]: each for each in found}
    if 'leader' not in entries or 'sync' not in entries:
        return None, None
    leader = decode(entries['leader']['value'])
    sync = json.loads(decode(entries['sync']['value']))
    member = entries.get(f'members/{leader}')
    if sync.get('leader') != leader or name not in (sync.get('sync_standby') or '').split(',') or not member:
        return None, None
    return entries['leader']['lease'], json.loads(decode(member['value']))


def patroni_answers(address):
    try:
        urllib.request.urlopen(urllib.parse.urljoin(address, '/liveness'), timeout=TIMEOUT_SECONDS).close()
        return True
    except urllib.error.HTTPError:
        # Patroni acts itself on what it says here.
        return True
    except FAULTS:
        return False


def postgres_answers(address):
    """A network may let PostgreSQL through, but not Patroni: then the leader is alive."""
    parts = urllib.parse.urlsplit(address)
    try:
        with socket.create_connection((parts.hostname, parts.port), 1) as connection:
            connection.sendall(SSL_REQUEST)
            return connection.recv(1) != b''
    except FAULTS:
        return False


watched, heard_at = None, 0
while True:
    began_at = time.monotonic()
    try:
        lease, leader = read_leader()
        if lease != watched or not lease or patroni_answers(leader['api_url']):
            watched, heard_at = lease, began_at
        elif time.monotonic() - heard_at >= SILENCE_SECONDS and not postgres_answers(leader['conn_url']):
            ask_etcd('lease/revoke', {'ID': lease})
            silence = time.monotonic() - heard_at
            print(f'The leader was silent for {silence:.0f} s: the lease of its lock is revoked.', flush=True)
            time.sleep(PAUSE_SECONDS)
    except FAULTS as fault:
        # This machine may be the one that is cut off.
        heard_at = time.monotonic()
        print(fault, flush=True)
    time.sleep(max(0, began_at + 1 - time.monotonic()))
