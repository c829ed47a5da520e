package mcpclient

import (
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"parley/forms/rawjson"
)

// The bounds of what is kept of one server's results.
const (
	maxKept      = 256      // results
	maxKeptBytes = 32 << 20 // of all of them
	maxKeptFor   = 24 * time.Hour
)

// cache keeps results for as long as the server allows (2026-07-28,
// "Caching"): pages of lists, and resources. It belongs to one connection, and
// so to one person at one server; what it holds is dropped when they sign in as
// somebody else, whether the server calls it "public" or "private".
//
// It never holds a result that asks for input, nor one of a request that
// carried an answer: put is for complete results of first requests alone.
type cache struct {
	mu    sync.Mutex
	turn  int // grows whenever something is dropped before its time
	bytes int
	m     map[cacheKey]kept
}

// cacheKey is the request that a result answers: its method, and the one
// parameter that tells requests of that method apart.
type cacheKey struct{ method, param string }

type kept struct {
	result json.RawMessage
	at     time.Time
	until  time.Time
}

// epoch is to be taken before a request whose result may be put: one that was
// on its way while something was dropped is not kept.
func (c *cache) epoch() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.turn
}

// get returns a result that is still fresh at now.
func (c *cache) get(method, param string, now time.Time) (json.RawMessage, bool) {
	e, ok := c.find(method, param, now)
	return e.result, ok
}

func (c *cache) find(method, param string, now time.Time) (kept, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.m[cacheKey{method, param}]
	return e, ok && now.Before(e.until)
}

// put keeps a result that came at now, if it says that it may be kept.
func (c *cache) put(epoch int, method, param string, result json.RawMessage, now time.Time) {
	ttl := timeToLive(result)
	c.mu.Lock()
	defer c.mu.Unlock()
	key := cacheKey{method, param}
	c.remove(key)
	if ttl <= 0 || epoch != c.turn || len(result) > maxKeptBytes/4 {
		return
	}
	for k, e := range c.m {
		if !now.Before(e.until) {
			c.remove(k)
		}
	}
	if len(c.m) >= maxKept || c.bytes+len(result) > maxKeptBytes {
		return // a server with that much to keep is asked again
	}
	if c.m == nil {
		c.m = map[cacheKey]kept{}
	}
	c.m[key] = kept{result, now, now.Add(ttl)}
	c.bytes += len(result)
}

// remove drops one entry. c.mu is held.
func (c *cache) remove(key cacheKey) {
	c.bytes -= len(c.m[key].result)
	delete(c.m, key)
}

// drop forgets the results of a method, as a change that the server told of
// asks for.
func (c *cache) drop(methods ...string) {
	c.forget(func(k cacheKey) bool {
		for _, m := range methods {
			if k.method == m {
				return true
			}
		}
		return false
	})
}

// dropOne forgets one result.
func (c *cache) dropOne(method, param string) {
	c.forget(func(k cacheKey) bool { return k == cacheKey{method, param} })
}

// clear forgets everything.
func (c *cache) clear() { c.forget(func(cacheKey) bool { return true }) }

func (c *cache) forget(which func(cacheKey) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	for k := range c.m {
		if which(k) {
			c.remove(k)
		}
	}
}

// timeToLive reads ttlMs; what is absent, negative or no whole number is 0. A
// result without a cacheScope that the specification names is kept by nobody.
func timeToLive(result json.RawMessage) time.Duration {
	members, err := rawjson.Only(result, "cacheScope", "resultType", "ttlMs")
	if err != nil {
		return 0
	}
	if scope := text(rawjson.Get(members, "cacheScope")); scope != "public" && scope != "private" {
		return 0
	}
	if kind := rawjson.Get(members, "resultType"); !isNull(kind) && text(kind) != "complete" {
		return 0
	}
	ms, err := strconv.ParseFloat(string(number(rawjson.Get(members, "ttlMs"))), 64)
	if err != nil || ms < 0 {
		return 0
	}
	return time.Duration(min(ms, float64(maxKeptFor/time.Millisecond))) * time.Millisecond
}
