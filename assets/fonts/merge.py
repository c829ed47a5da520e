# Merges Hangul of DroidSansFallback.ttf into DroidSansFallbackFull.ttf.
import struct, sys
FULL, KO, OUT = sys.argv[1:4]
def U(f,b,o): return struct.unpack_from('>'+f,b,o)
class Font:
    def __init__(s,p):
        b=s.b=open(p,'rb').read(); n=U('H',b,4)[0]; s.T={}
        for i in range(n):
            o=12+16*i; s.T[b[o:o+4].decode()]=U('II',b,o+8)
        s.ng=U('H',s.t('maxp'),4)[0]; s.lf=U('h',s.t('head'),50)[0]
        l=s.t('loca'); s.loca=[x*2 for x in U('%dH'%(s.ng+1),l,0)] if s.lf==0 else list(U('%dI'%(s.ng+1),l,0))
        s.nhm=U('H',s.t('hhea'),34)[0]
        hm=s.t('hmtx'); s.adv=[];s.lsb=[]
        for i in range(s.ng):
            if i<s.nhm: a,l=U('Hh',hm,4*i); last=a
            else: a=last; l=U('h',hm,4*s.nhm+2*(i-s.nhm))[0]
            s.adv.append(a); s.lsb.append(l)
        c=s.t('cmap'); s.map={}
        for i in range(U('H',c,2)[0]):
            p,e,so=U('HHI',c,4+8*i); f=U('H',c,so)[0]
            if f==12:
                for k in range(U('I',c,so+12)[0]):
                    S,E,G=U('III',c,so+16+12*k)
                    for r in range(S,E+1): s.map.setdefault(r,G+r-S)
            if f==4:
                sc=U('H',c,so+6)[0]//2
                for k in range(sc):
                    E=U('H',c,so+14+2*k)[0]; S=U('H',c,so+16+2*sc+2*k)[0]; D=U('H',c,so+16+4*sc+2*k)[0]; ro=so+16+6*sc+2*k; R=U('H',c,ro)[0]
                    for r in range(S,min(E,0xfffe)+1):
                        g=(r+D)&0xffff if R==0 else U('H',c,ro+R+2*(r-S))[0]
                        if R and g: g=(g+D)&0xffff
                        if g: s.map.setdefault(r,g)
    def t(s,n): o,l=s.T[n]; return s.b[o:o+l]
    def glyph(s,g): o,_=s.T['glyf']; return s.b[o+s.loca[g]:o+s.loca[g+1]]
def comps(d):
    if len(d)<10 or U('h',d,0)[0]>=0: return []
    r=[];o=10
    while True:
        fl,gi=U('HH',d,o); r.append((o+2,gi)); o+=4
        o+=4 if fl&1 else 2
        if fl&8:o+=2
        elif fl&0x40:o+=4
        elif fl&0x80:o+=8
        if not fl&0x20: break
    return r
a=Font(FULL); k=Font(KO)
cm={r:g for r,g in a.map.items() if r!=0 and not 0x202a<=r<=0x202e and g}
want=sorted(r for r in k.map if r not in a.map and k.map[r] and r>=0x1100)
glyphs=[a.glyph(g) for g in range(a.ng)]; adv=list(a.adv); lsb=list(a.lsb); new={}
def take(g):
    if g in new: return new[g]
    d=bytearray(k.glyph(g))
    for o,gi in comps(d): struct.pack_into('>H',d,o,take(gi))
    new[g]=len(glyphs); glyphs.append(bytes(d)); adv.append(k.adv[g]); lsb.append(k.lsb[g]); return new[g]
for r in want: cm[r]=take(k.map[r])
glyf=bytearray(); loca=[0]
for d in glyphs:
    glyf+=d; glyf+=b'\0'*(-len(glyf)%4); loca.append(len(glyf))
groups=[]
for r in sorted(cm):
    g=cm[r]
    if groups and groups[-1][1]==r-1 and groups[-1][2]+r-groups[-1][0]==g: groups[-1][1]=r
    else: groups.append([r,r,g])
c12=struct.pack('>HHIII',12,0,16+12*len(groups),0,len(groups))+b''.join(struct.pack('>III',*x) for x in groups)
cmap=struct.pack('>HHHHI',0,1,3,10,12)+c12
maxp=bytearray(a.t('maxp')); km=k.t('maxp'); struct.pack_into('>H',maxp,4,len(glyphs))
for o in range(6,32,2): struct.pack_into('>H',maxp,o,max(U('H',maxp,o)[0],U('H',km,o)[0]))
head=bytearray(a.t('head')); struct.pack_into('>I',head,8,0); struct.pack_into('>h',head,50,1)
hhea=bytearray(a.t('hhea')); struct.pack_into('>H',hhea,34,len(glyphs))
hmtx=b''.join(struct.pack('>Hh',x,y) for x,y in zip(adv,lsb))
post=bytearray(a.t('post')[:32]); struct.pack_into('>I',post,0,0x30000)
tabs={t:a.t(t) for t in a.T}
for t in ('fpgm','prep','cvt ','VDMX','hdmx','LTSH','gasp','DSIG','vhea','vmtx'): tabs.pop(t,None)
tabs.update({'glyf':bytes(glyf),'loca':struct.pack('>%dI'%len(loca),*loca),'cmap':cmap,'maxp':bytes(maxp),'head':bytes(head),'hhea':bytes(hhea),'hmtx':hmtx,'post':bytes(post)})
def cs(x):
    x=bytes(x)+b'\0'*(-len(x)%4); return sum(struct.unpack('>%dI'%(len(x)//4),x))&0xffffffff
n=len(tabs); e=1
while e*2<=n:e*=2
out=bytearray(struct.pack('>IHHHH',0x10000,n,e*16,e.bit_length()-1,n*16-e*16)); off=12+16*n; body=bytearray(); hp=0
for t in sorted(tabs):
    d=tabs[t]; out+=t.encode()+struct.pack('>III',cs(d),off+len(body),len(d))
    if t=='head': hp=off+len(body)
    body+=d+b'\0'*(-len(d)%4)
out+=body; struct.pack_into('>I',out,hp+8,(0xB1B0AFBA-cs(out))&0xffffffff)
open(OUT, "wb").write(out)
