/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * standard.c - the packages of the standard library of Go 1.19 to 1.27, and
 * what the runtime itself writes into traces. A package that is missing here,
 * of a release to come, counts as one of the program: its names are replaced.
 */
#include <string.h>

#include "base/strings.h"
#include "edit/names.h"

/* With a blank before and after each. */
static const char standard_packages[] =
	" archive/tar archive/zip bufio bytes cmp compress/bzip2 "
	"compress/flate compress/gzip compress/lzw compress/zlib "
	"container/heap container/list container/ring context crypto "
	"crypto/aes crypto/cipher crypto/des crypto/dsa crypto/ecdh "
	"crypto/ecdsa crypto/ed25519 crypto/elliptic crypto/fips140 "
	"crypto/hkdf crypto/hmac crypto/hpke crypto/internal/alias "
	"crypto/internal/bigmod crypto/internal/boring "
	"crypto/internal/boring/bbig crypto/internal/boring/bcache "
	"crypto/internal/boring/sig crypto/internal/constanttime "
	"crypto/internal/cryptotest crypto/internal/cryptotest/wycheproof "
	"crypto/internal/cryptotest/x509limbo crypto/internal/edwards25519 "
	"crypto/internal/edwards25519/field crypto/internal/entropy "
	"crypto/internal/entropy/v1.0.0 crypto/internal/fips140 "
	"crypto/internal/fips140/aes crypto/internal/fips140/aes/gcm "
	"crypto/internal/fips140/alias crypto/internal/fips140/bigmod "
	"crypto/internal/fips140/check "
	"crypto/internal/fips140/check/checktest "
	"crypto/internal/fips140/drbg crypto/internal/fips140/ecdh "
	"crypto/internal/fips140/ecdsa crypto/internal/fips140/ed25519 "
	"crypto/internal/fips140/edwards25519 "
	"crypto/internal/fips140/edwards25519/field "
	"crypto/internal/fips140/hkdf crypto/internal/fips140/hmac "
	"crypto/internal/fips140/mldsa crypto/internal/fips140/mlkem "
	"crypto/internal/fips140/nistec "
	"crypto/internal/fips140/nistec/fiat "
	"crypto/internal/fips140/pbkdf2 crypto/internal/fips140/rsa "
	"crypto/internal/fips140/sha256 crypto/internal/fips140/sha3 "
	"crypto/internal/fips140/sha512 crypto/internal/fips140/ssh "
	"crypto/internal/fips140/subtle crypto/internal/fips140/tls12 "
	"crypto/internal/fips140/tls13 crypto/internal/fips140cache "
	"crypto/internal/fips140deps crypto/internal/fips140deps/byteorder "
	"crypto/internal/fips140deps/cpu "
	"crypto/internal/fips140deps/godebug "
	"crypto/internal/fips140deps/time crypto/internal/fips140hash "
	"crypto/internal/fips140only crypto/internal/fips140test "
	"crypto/internal/impl crypto/internal/nistec "
	"crypto/internal/nistec/fiat crypto/internal/rand "
	"crypto/internal/randutil crypto/internal/subtle "
	"crypto/internal/sysrand crypto/internal/sysrand/internal/seccomp "
	"crypto/md5 crypto/mldsa crypto/mlkem crypto/mlkem/mlkemtest "
	"crypto/pbkdf2 crypto/rand crypto/rc4 crypto/rsa crypto/sha1 "
	"crypto/sha256 crypto/sha3 crypto/sha512 crypto/subtle crypto/tls "
	"crypto/tls/internal/fips140tls crypto/x509 crypto/x509/pkix "
	"database/sql database/sql/driver database/sql/internal "
	"debug/buildinfo debug/dwarf debug/elf debug/gosym debug/macho "
	"debug/pe debug/plan9obj embed embed/internal/embedtest encoding "
	"encoding/ascii85 encoding/asn1 encoding/base32 encoding/base64 "
	"encoding/binary encoding/csv encoding/gob encoding/hex "
	"encoding/json encoding/json/internal "
	"encoding/json/internal/jsonflags encoding/json/internal/jsonopts "
	"encoding/json/internal/jsontest encoding/json/internal/jsonwire "
	"encoding/json/jsontext encoding/json/v2 encoding/pem encoding/xml "
	"errors expvar flag fmt go/ast go/build go/build/constraint "
	"go/constant go/doc go/doc/comment go/format go/importer "
	"go/internal/gccgoimporter go/internal/gcimporter "
	"go/internal/srcimporter go/internal/typeparams go/parser "
	"go/printer go/scanner go/token go/types go/version "
	"golang.org/x/sync/errgroup golang.org/x/sync/semaphore "
	"golang.org/x/sync/singleflight golang.org/x/sync/syncmap hash "
	"hash/adler32 hash/crc32 hash/crc64 hash/fnv hash/maphash html "
	"html/template image image/color image/color/palette image/draw "
	"image/gif image/internal/imageutil image/jpeg image/png "
	"index/suffixarray internal/abi internal/asan internal/bisect "
	"internal/buildcfg internal/bytealg internal/byteorder "
	"internal/cfg internal/cgrouptest internal/chacha8rand "
	"internal/copyright internal/coverage internal/coverage/calloc "
	"internal/coverage/cfile internal/coverage/cformat "
	"internal/coverage/cmerge internal/coverage/decodecounter "
	"internal/coverage/decodemeta internal/coverage/encodecounter "
	"internal/coverage/encodemeta internal/coverage/pods "
	"internal/coverage/rtcov internal/coverage/slicereader "
	"internal/coverage/slicewriter internal/coverage/stringtab "
	"internal/coverage/test internal/coverage/uleb128 internal/cpu "
	"internal/dag internal/diff internal/exportdata "
	"internal/filepathlite internal/fmtsort internal/fuzz "
	"internal/gate internal/goarch internal/godebug internal/godebugs "
	"internal/goexperiment internal/goos internal/goroot "
	"internal/gover internal/goversion internal/intern internal/itoa "
	"internal/lazyregexp internal/lazytemplate internal/msan "
	"internal/nettest internal/nettrace internal/obscuretestdata "
	"internal/oserror internal/pkgbits internal/platform internal/poll "
	"internal/profile internal/profilerecord internal/race "
	"internal/reflectlite internal/runtime/atomic "
	"internal/runtime/cgobench internal/runtime/cgroup "
	"internal/runtime/exithook internal/runtime/gc "
	"internal/runtime/gc/internal/gen internal/runtime/gc/scan "
	"internal/runtime/maps internal/runtime/math "
	"internal/runtime/pprof/label internal/runtime/startlinetest "
	"internal/runtime/sys internal/runtime/syscall/linux "
	"internal/runtime/wasitest internal/safefilepath internal/saferio "
	"internal/singleflight internal/strconv internal/stringslite "
	"internal/sync internal/synctest internal/syscall/execenv "
	"internal/syscall/unix internal/sysinfo internal/syslist "
	"internal/testenv internal/testhash internal/testlog "
	"internal/testpty internal/trace internal/trace/internal/testgen "
	"internal/trace/internal/tracev1 internal/trace/raw "
	"internal/trace/testtrace internal/trace/tracev2 "
	"internal/trace/traceviewer internal/trace/traceviewer/format "
	"internal/trace/v2 internal/trace/v2/event "
	"internal/trace/v2/event/go122 "
	"internal/trace/v2/internal/testgen/go122 internal/trace/v2/raw "
	"internal/trace/v2/testtrace internal/trace/v2/version "
	"internal/trace/version internal/txtar internal/types/errors "
	"internal/unsafeheader internal/xcoff internal/zstd io io/fs "
	"io/ioutil iter log log/internal log/slog log/slog/internal "
	"log/slog/internal/benchmarks log/slog/internal/buffer "
	"log/slog/internal/slogtest log/syslog maps math math/big "
	"math/big/internal/asmgen math/bits math/cmplx math/rand "
	"math/rand/v2 mime mime/multipart mime/quotedprintable net "
	"net/http net/http/cgi net/http/cookiejar net/http/fcgi "
	"net/http/httptest net/http/httptrace net/http/httputil "
	"net/http/internal net/http/internal/ascii net/http/internal/http2 "
	"net/http/internal/httpcommon net/http/internal/httpsfv "
	"net/http/internal/testcert net/http/pprof net/internal/cgotest "
	"net/internal/socktest net/mail net/netip net/rpc net/rpc/jsonrpc "
	"net/smtp net/textproto net/url os os/exec os/exec/internal/fdtest "
	"os/signal os/signal/internal/pty os/user path path/filepath "
	"plugin reflect reflect/internal/example1 "
	"reflect/internal/example2 regexp regexp/syntax runtime "
	"runtime/cgo runtime/coverage runtime/debug "
	"runtime/internal/atomic runtime/internal/math "
	"runtime/internal/startlinetest runtime/internal/sys "
	"runtime/internal/syscall runtime/internal/wasitest "
	"runtime/metrics runtime/pprof runtime/race "
	"runtime/race/internal/amd64v1 runtime/trace slices sort strconv "
	"strings structs sync sync/atomic syscall testing "
	"testing/cryptotest testing/fstest testing/internal/testdeps "
	"testing/iotest testing/quick testing/slogtest testing/synctest "
	"text/scanner text/tabwriter text/template text/template/parse "
	"time time/tzdata unicode unicode/utf16 unicode/utf8 unique unsafe "
	"uuid vendor/golang.org/x/crypto/chacha20 "
	"vendor/golang.org/x/crypto/chacha20poly1305 "
	"vendor/golang.org/x/crypto/cryptobyte "
	"vendor/golang.org/x/crypto/cryptobyte/asn1 "
	"vendor/golang.org/x/crypto/curve25519 "
	"vendor/golang.org/x/crypto/curve25519/internal/field "
	"vendor/golang.org/x/crypto/hkdf "
	"vendor/golang.org/x/crypto/internal/alias "
	"vendor/golang.org/x/crypto/internal/poly1305 "
	"vendor/golang.org/x/crypto/internal/subtle "
	"vendor/golang.org/x/net/dns/dnsmessage "
	"vendor/golang.org/x/net/http/httpguts "
	"vendor/golang.org/x/net/http/httpproxy "
	"vendor/golang.org/x/net/http2/hpack vendor/golang.org/x/net/http3 "
	"vendor/golang.org/x/net/idna "
	"vendor/golang.org/x/net/internal/http3 "
	"vendor/golang.org/x/net/internal/httpcommon "
	"vendor/golang.org/x/net/internal/quic/quicwire "
	"vendor/golang.org/x/net/nettest vendor/golang.org/x/net/quic "
	"vendor/golang.org/x/sys/cpu "
	"vendor/golang.org/x/text/secure/bidirule "
	"vendor/golang.org/x/text/transform "
	"vendor/golang.org/x/text/unicode/bidi "
	"vendor/golang.org/x/text/unicode/norm weak ";

/* Reasons, kinds of stops, and labels of workers of the collector. */
static const char *const runtime_texts[] = {
	"AllThreadsSyscall",
	"CountPagesInUse (test)",
	"GC (dedicated)",
	"GC (fractional)",
	"GC (idle)",
	"GC background sweeper wait",
	"GC mark assist wait for work",
	"GC mark termination",
	"GC sweep termination",
	"GC weak to strong wait",
	"GOMAXPROCS",
	"PageCachePagesLeaked (test)",
	"ReadMemStatsSlow (test)",
	"ReadMetricsSlow (test)",
	"ResetDebugLog (test)",
	"all goroutines stack trace",
	"chan receive",
	"chan send",
	"forever",
	"goroutine profile",
	"goroutine profile cleanup",
	"network",
	"preempted",
	"read mem stats",
	"runtime.Gosched",
	"select",
	"sleep",
	"start trace",
	"stop trace",
	"sync",
	"sync.(*Cond).Wait",
	"synctest",
	"system goroutine wait",
	"unknown",
	"unspecified",
	"wait for debug call",
	"wait until GC ends",
	"write heap dump",
};

bool gti_is_standard_package(struct gtrace_string path)
{
	const char *at = standard_packages + 1;
	size_t size;

	for (; *at != '\0'; at += size + 1) {
		size = strcspn(at, " ");
		if (size == path.size && memcmp(at, path.data, size) == 0)
			return true;
	}
	return false;
}

bool gti_is_runtime_text(struct gtrace_string text)
{
	size_t i;

	for (i = 0; i < sizeof(runtime_texts) / sizeof(runtime_texts[0]); i++)
		if (string_is(text, runtime_texts[i]))
			return true;
	return false;
}
