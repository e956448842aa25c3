#!/usr/bin/env python3
"""/usr/local/bin/leader-watch on every machine. Its arguments: the name of this machine, and etcd's addresses.

Patroni replaces a dead leader when its lock in etcd expires, after 20 s: Patroni takes no shorter `ttl`. The synchronous standby
runs this to end the lock earlier. For Patroni that is the same as if it had expired: only the leader and its synchronous standby
may take it again, and a former leader that lost it steps down. It can confirm no write then: each waits for that standby.
"""
import base64
import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

# Longer than a busy machine is silent. HAProxy has turned away from the leader by then.
SILENCE_SECONDS = 5
# This machine may have been the slow one: one late answer is no silence.
MIN_MISSES = 2
KEYS = '/service/wholesale/'

name, hosts = sys.argv[1], sys.argv[2].split(',')


def encode(text):
    return base64.b64encode(text.encode()).decode()


def decode(text):
    return base64.b64decode(text).decode()


def ask_etcd(path, body):
    request = urllib.request.Request(f'http://{hosts[0]}/v3/{path}', json.dumps(body).encode())
    try:
        with urllib.request.urlopen(request, timeout=2) as answer:
            return json.load(answer)
    except OSError:
        # The next question goes to another machine.
        hosts.append(hosts.pop(0))
        raise


def read_leader():
    """The lease of the leader's lock and the address of its Patroni, if this machine is its synchronous standby."""
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
    return entries['leader']['lease'], json.loads(decode(member['value']))['api_url']


def answers(url):
    try:
        urllib.request.urlopen(url, timeout=2).close()
        return True
    except urllib.error.HTTPError:
        # Patroni acts itself on what it says here.
        return True
    except OSError:
        return False


watched, heard_at, misses = None, 0, 0
while True:
    began_at = time.monotonic()
    try:
        lease, url = read_leader()
        if lease != watched:
            watched, heard_at, misses = lease, began_at, 0
        if lease and answers(urllib.parse.urljoin(url, '/liveness')):
            heard_at, misses = began_at, 0
        elif lease:
            misses += 1
            if misses >= MIN_MISSES and time.monotonic() - heard_at >= SILENCE_SECONDS:
                ask_etcd('lease/revoke', {'ID': lease})
                print(f'The leader has been silent for {time.monotonic() - heard_at:.0f} s: its lock is ended.', flush=True)
    except OSError as error:
        print(f'etcd does not answer: {error}', flush=True)
    time.sleep(max(0, began_at + 1 - time.monotonic()))
