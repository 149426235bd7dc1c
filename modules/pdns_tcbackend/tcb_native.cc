/* SPDX-License-Identifier: Apache-2.0 */

/*
 * libtcbackend.so: the core inside pdns_server (launch=tc).
 *
 * A thin shim: PowerDNS' types to plain ones and back.  Everything that
 * decides is C and does not throw; nothing here lets an exception into it.
 * PowerDNS changes its types from release to release; what can be taken from
 * the headers it is built with is taken from there.
 */

#include "config.h"

#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <cstring>
#include <ctime>
#include <string_view>

#include "pdns/dnsbackend.hh"
#include "pdns/dnspacket.hh"
#include "pdns/dnsrecords.hh"
#include "pdns/logger.hh"
#include "pdns/pdnsexception.hh"

#include "tcb_embed.h"

namespace {


/* Types of a zone's number and name, from the signature of list(). */
template <class M> struct list_types;

template <class B, class Z, class I>
struct list_types<bool (B::*)(Z, I, bool)>
{
    using zone = Z;
    using number = I;
};

using zone_arg_t = list_types<decltype(&DNSBackend::list)>::zone;
using number_t = list_types<decltype(&DNSBackend::list)>::number;


/* Since 4.9 the content of a record is set and made by other functions. */
template <class R, class C>
auto set_content(R& record, C content, int)
    -> decltype(record.setContent(content), void())
{
    record.setContent(content);
}

template <class R, class C>
auto set_content(R& record, C content, long)
    -> decltype(record.d_content = content, void())
{
    record.d_content = content;
}

template <class C>
auto make_content(uint16_t type, const std::string& text, int)
    -> decltype(C::make(type, QClass::IN, text))
{
    return C::make(type, QClass::IN, text);
}

template <class C>
auto make_content(uint16_t type, const std::string& text, long)
    -> decltype(C::mastermake(type, QClass::IN, text))
{
    return C::mastermake(type, QClass::IN, text);
}


std::string
text_of(const tcb_embed_str_t& s)
{
    return std::string(s.text, s.len);
}


DNSName
name_of(const tcb_embed_str_t& s)
{
    return DNSName(text_of(s));
}


/*
 * Contents made of text: reading a SOA costs more than the rest of its
 * look-up, and PowerDNS asks for one with each question.  A content is
 * immutable, so it is given out again while its text is the same.
 */
class Contents
{
public:
    using content_t = decltype(make_content<DNSRecordContent>(0, "", 0));

    const content_t& of(uint16_t type, const tcb_embed_str_t& s)
    {
        const std::string_view  text(s.text, s.len);
        Slot&  slot = d_slots[std::hash<std::string_view>()(text)
                              % d_slots.size()];

        if (!slot.content || slot.type != type || slot.text != text) {
            slot.content.reset();
            slot.text = text;
            slot.type = type;
            slot.content = make_content<DNSRecordContent>(type, slot.text, 0);
        }

        return slot.content;
    }

private:
    struct Slot
    {
        std::string  text;
        content_t    content;
        uint16_t     type = 0;
    };

    std::array<Slot, 1024>  d_slots;
};


/* Once a minute and sentence: PowerDNS' log has no limit of its own. */
void
complain(const char *text) noexcept
{
    static std::atomic<time_t>  last;

    time_t  now = time(nullptr);
    time_t  before = last.load();

    if (now - before < 60 || !last.compare_exchange_strong(before, now)) {
        return;
    }

    try {
        g_log << Logger::Error << "[tc] " << text << endl;

    } catch (...) {
        return;
    }
}


class TcBackend : public DNSBackend
{
public:
    explicit TcBackend(const std::string& suffix)
    {
        char  err[1024];

        setArgPrefix("tc" + suffix);

        d_core = tcb_embed_create(getArg("images").c_str(),
                                  getArg("access-log").c_str(), complain,
                                  err, sizeof(err));

        if (d_core == nullptr) {
            throw PDNSException(std::string("[tc] ") + err);
        }
    }

    TcBackend(const TcBackend&) = delete;
    TcBackend& operator=(const TcBackend&) = delete;

    ~TcBackend() override
    {
        tcb_embed_destroy(d_core);
    }

    void lookup(const QType& type, const DNSName& name, number_t zone,
                DNSPacket *packet) override;
    bool get(DNSZoneRecord& record) override;
    bool get(DNSResourceRecord& record) override;
    bool list(zone_arg_t target, number_t zone, bool disabled) override;
    void getAllDomains(vector<DomainInfo> *domains, bool serial,
                       bool disabled) override;
    bool getDomainInfo(zone_arg_t name, DomainInfo& info,
                       bool serial) override;
    bool getBeforeAndAfterNames(uint32_t zone, zone_arg_t origin,
                                const DNSName& name, DNSName& before,
                                DNSName& after) override;
    bool getBeforeAndAfterNamesAbsolute(uint32_t zone, const DNSName& hash,
                                        DNSName& unhashed, DNSName& before,
                                        DNSName& after) override;
    bool getDomainKeys(zone_arg_t name, std::vector<KeyData>& keys) override;
    bool getDomainMetadata(zone_arg_t name, const std::string& kind,
                           std::vector<std::string>& meta) override;
    bool getAllDomainMetadata(
        zone_arg_t name,
        std::map<std::string, std::vector<std::string>>& meta) override;
    string directBackendCmd(const string& query) override;

    bool doesDNSSEC() override
    {
        return true;
    }

private:
    void fill(const tcb_embed_zone_t& zone, DomainInfo& info);

    tcb_embed_t  *d_core;
    DNSName       d_name;         /* owner of the rows of an answer          */
    Contents      d_contents;
};


void
TcBackend::lookup(const QType& type, const DNSName& name, number_t zone,
    DNSPacket *packet)
{
    Netmask               subnet;
    ComboAddress          resolver;
    const auto&           wire = name.getStorage();
    tcb_embed_question_t  q;

    memset(&q, 0, sizeof(q));
    q.name = wire.data();
    q.name_len = wire.size();
    q.type = type.getCode();
    q.zone = static_cast<int64_t>(zone) > 0 ? static_cast<uint32_t>(zone) : 0;

    if (packet != nullptr) {
        resolver = packet->getInnerRemote();
        q.resolver = reinterpret_cast<const sockaddr *>(&resolver);
        q.client_type = packet->qtype.getCode();
        q.id = ntohs(packet->d.id);       /* as it came, RFC 1035 §4.1.1 */
        q.is_question = type.getCode() == QType::ANY
                        && name == packet->qdomain;

        if (packet->hasEDNSSubnet()) {
            subnet = packet->getRealRemote();
            q.subnet = reinterpret_cast<const sockaddr *>(
                           &subnet.getNetwork());
            q.subnet_len = subnet.getBits();
        }
    }

    d_name = name;

    /* without images this is "no such name"; PowerDNS knows no zone then */
    (void) tcb_embed_lookup(d_core, &q);
}


bool
TcBackend::get(DNSZoneRecord& record)
{
    ComboAddress     address;
    tcb_embed_row_t  row;

    if (tcb_embed_next(d_core, &row) == 0) {
        return false;
    }

    record.domain_id = static_cast<number_t>(row.zone);
    record.scopeMask = row.scope;
    record.auth = row.auth != 0;
    record.dr.d_name = row.owner.text ? name_of(row.owner) : d_name;
    record.dr.d_type = row.type;
    record.dr.d_class = QClass::IN;
    record.dr.d_ttl = row.ttl;
    record.dr.d_place = DNSResourceRecord::ANSWER;

    if (row.type == QType::ENT) {
        set_content(record.dr, std::shared_ptr<DNSRecordContent>(), 0);

    } else if (row.addr_len == 4) {
        address.sin4.sin_family = AF_INET;
        memcpy(&address.sin4.sin_addr, row.addr, 4);
        set_content(record.dr, std::make_shared<ARecordContent>(address), 0);

    } else if (row.addr_len == 16) {
        address.reset();
        address.sin6.sin6_family = AF_INET6;
        memcpy(&address.sin6.sin6_addr, row.addr, 16);
        set_content(record.dr, std::make_shared<AAAARecordContent>(address),
                    0);

    } else {
        set_content(record.dr, d_contents.of(row.type, row.data), 0);
    }

    return true;
}


/* pdnsutil and the API read records as text. */
bool
TcBackend::get(DNSResourceRecord& record)
{
    tcb_embed_row_t  row;

    if (tcb_embed_next(d_core, &row) == 0) {
        return false;
    }

    record.domain_id = static_cast<number_t>(row.zone);
    record.scopeMask = row.scope;
    record.auth = row.auth != 0;
    record.qname = row.owner.text ? name_of(row.owner) : d_name;
    record.qtype = QType(row.type);
    record.qclass = QClass::IN;
    record.ttl = row.ttl;
    record.content = text_of(row.data);
    record.disabled = false;
    return true;
}


bool
TcBackend::list(zone_arg_t target, number_t, bool)
{
    const std::string  origin = target.toString();

    return tcb_embed_list(d_core, origin.data(), origin.size()) == 0;
}


void
TcBackend::fill(const tcb_embed_zone_t& zone, DomainInfo& info)
{
    info.zone = decltype(info.zone)(name_of(zone.origin));
    info.id = zone.number;
    info.serial = zone.serial;
    info.notified_serial = zone.serial;
    info.kind = DomainInfo::Native;
    info.backend = this;
}


/*
 * An empty list makes PowerDNS refuse every question, so once there were
 * zones a list that cannot be made is an error, after which it keeps the old
 * one.
 */
void
TcBackend::getAllDomains(vector<DomainInfo> *domains, bool, bool)
{
    static std::atomic<bool>  had_zones{false};

    size_t            i;
    tcb_embed_zone_t  zone;

    if (tcb_embed_ready(d_core) == 0 && had_zones) {
        throw PDNSException("[tc] no images to list zones of");
    }

    for (i = 0; tcb_embed_zone(d_core, i, &zone) != 0; i++) {
        DomainInfo  info;

        fill(zone, info);
        domains->push_back(std::move(info));
    }

    if (i != 0) {
        had_zones = true;
    }
}


bool
TcBackend::getDomainInfo(zone_arg_t name, DomainInfo& info, bool)
{
    tcb_embed_zone_t   zone;
    const std::string  text = name.toString();

    if (tcb_embed_zone_named(d_core, text.data(), text.size(), &zone) == 0) {
        return false;
    }

    fill(zone, info);
    return true;
}


bool
TcBackend::getBeforeAndAfterNames(uint32_t, zone_arg_t origin,
    const DNSName& name, DNSName& before, DNSName& after)
{
    tcb_embed_str_t    first, second;
    const std::string  zone = origin.toString(), text = name.toString();

    if (tcb_embed_neighbours(d_core, zone.data(), zone.size(), text.data(),
                             text.size(), &first, &second) == 0)
    {
        return false;
    }

    before = name_of(first);
    after = name_of(second);
    return true;
}


/* NSEC3: all but unhashed are hashes, each a label. */
bool
TcBackend::getBeforeAndAfterNamesAbsolute(uint32_t number,
    const DNSName& hash, DNSName& unhashed, DNSName& before, DNSName& after)
{
    tcb_embed_str_t    owner, first, second;
    const std::string  text = hash.toString();

    if (tcb_embed_hashed(d_core, number, text.data(), text.size(), &owner,
                         &first, &second) == 0)
    {
        return false;
    }

    unhashed = name_of(owner);
    before = name_of(first);
    after = name_of(second);
    return true;
}


/* Without keys of ours the next backend may have some. */
bool
TcBackend::getDomainKeys(zone_arg_t name, std::vector<KeyData>& keys)
{
    size_t             i;
    tcb_embed_key_t    key;
    const std::string  zone = name.toString();

    for (i = 0; tcb_embed_key(d_core, zone.data(), zone.size(), i, &key) != 0;
         i++)
    {
        KeyData  data;

        data.content = text_of(key.content);
        data.id = key.id;
        data.flags = key.flags;
        data.active = key.active != 0;
        data.published = key.published != 0;
        keys.push_back(std::move(data));
    }

    return i != 0;
}


bool
TcBackend::getDomainMetadata(zone_arg_t name, const std::string& kind,
    std::vector<std::string>& meta)
{
    tcb_embed_str_t    value;
    const std::string  zone = name.toString();

    value = tcb_embed_metadata(d_core, zone.data(), zone.size(), kind.data(),
                               kind.size());

    if (value.text == nullptr) {
        return false;
    }

    meta.push_back(text_of(value));
    return true;
}


bool
TcBackend::getAllDomainMetadata(zone_arg_t name,
    std::map<std::string, std::vector<std::string>>& meta)
{
    bool  found = false;

    for (const char *kind : { "NSEC3PARAM", "NSEC3NARROW" }) {
        found |= getDomainMetadata(name, kind, meta[kind]);

        if (meta[kind].empty()) {
            meta.erase(kind);
        }
    }

    return found;
}


string
TcBackend::directBackendCmd(const string& query)
{
    return text_of(tcb_embed_command(d_core, query.data(), query.size()));
}


class TcFactory : public BackendFactory
{
public:
    TcFactory() : BackendFactory("tc") {}

    void declareArguments(const string& suffix) override
    {
        declare(suffix, "images", "Directory of the images",
                "/run/tcrouter/images");
        declare(suffix, "access-log", "File of the access log, empty for none",
                "");
    }

    DNSBackend *make(const string& suffix) override
    {
        return new TcBackend(suffix);
    }
};


class TcLoader
{
public:
    TcLoader()
    {
        BackendMakers().report(new TcFactory);
        g_log << Logger::Info << "[tc] backend built for PowerDNS " VERSION
              << endl;
    }
};


TcLoader  loader;


} /* namespace */
